#!/usr/bin/env node
// The docent command, and npm start: brings what is missing, then runs src/app/main.ts on Node 24.
import { join } from 'node:path'
import { ensureInstalled, root, runOnNode24 } from './bootstrap.mjs'

await ensureInstalled({ dev: false })
await runOnNode24(join(root, 'src', 'app', 'main.ts'), process.argv.slice(2))
