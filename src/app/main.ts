import { enableCompileCache } from 'node:module'

// Before anything large is loaded: a second start then skips most of the compiling.
enableCompileCache()

const { runCli } = await import('./cli/cli.ts')
process.exit(await runCli(process.argv.slice(2)))
