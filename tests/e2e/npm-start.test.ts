import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, inject, test } from 'vitest'
import { freePort } from '#tests/harness/free-port.ts'
import { childEnvironment } from '#tests/harness/server-process.ts'
import { createTestDatabase } from '#tests/harness/test-database.ts'

// npm start is for the embedded database; on PostgreSQL it would show nothing else.
describe.runIf(inject('engine') === 'pglite')('npm start', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('passes %s on to the server, which ends cleanly', async (signal) => {
    const database = await createTestDatabase({ empty: true })
    const port = await freePort()
    const npm = spawn('npm', ['start'], {
      cwd: join(import.meta.dirname, '..', '..'),
      env: childEnvironment({ ...database.settings, port }),
    })
    let printed = ''
    for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (printed += chunk))
    const ended = new Promise((resolve) => npm.once('close', resolve))
    while (!printed.includes('is ready at')) {
      expect(npm.exitCode, printed).toBeNull()
      await sleep(50)
    }
    npm.kill(signal)
    // npm's own exit code says how npm ended; its output closes when the server's does.
    await ended
    expect(printed).toContain('server.stopped')
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow()
    await database.delete()
  })
})
