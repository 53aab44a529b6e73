import { enableCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'

// PGlite is the one large WebAssembly program here. Optimising it takes 580 MB more at the peak of a start and 75 MB
// more for ever, and its queries are no faster in measure (bench/start.ts); V8's baseline compiler serves it well.
setFlagsFromString('--no-wasm-tier-up')
setFlagsFromString('--no-wasm-dynamic-tiering')

// Before anything large is loaded: a later start then skips most of the compiling.
enableCompileCache()

const { runCli } = await import('./cli/cli.ts')
process.exit(await runCli(process.argv.slice(2)))
