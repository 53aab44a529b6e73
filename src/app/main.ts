import { enableCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'

// PGlite is the one large WebAssembly program here. Optimising it takes 550 MB more at the peak of a start and 50 MB
// more for good (bench/start.ts), and gains its queries little or nothing (bench/http.ts).
setFlagsFromString('--no-wasm-tier-up')
setFlagsFromString('--no-wasm-dynamic-tiering')

// Before anything large is loaded: a later start then skips most of the compiling.
enableCompileCache()

const { runCli } = await import('./cli/cli.ts')
process.exit(await runCli(process.argv.slice(2)))
