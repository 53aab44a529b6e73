// npm test: formatting and lint, types, then every test that the machine has the parts for.
// Arguments go to vitest: npm test -- src/infra
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled, exitCode, node24, root } from './bootstrap.mjs'

await ensureInstalled({ dev: true })

const bin = (name) => join(root, 'node_modules', '.bin', name)
const only = process.argv.slice(2)
const steps = [
  ...(only.length > 0
    ? []
    : [
        ['biome', bin('biome'), ['check', '--error-on-warnings', '.']],
        ['types', bin('tsc'), ['--noEmit']],
        ['types of the dashboard', bin('tsc'), ['--noEmit', '-p', 'web']],
      ]),
  ['tests', node24(), [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...only]],
]
for (const [name, command, args] of steps) {
  console.error(`\n— ${name}`)
  const child = spawn(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}` },
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  const code = await exitCode(child)
  if (code !== 0) process.exit(code)
}
