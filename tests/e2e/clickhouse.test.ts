import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, inject, test } from 'vitest'
import { freePort } from '#tests/harness/free-port.ts'
import { runDocent, startServerProcess } from '#tests/harness/server-process.ts'
import { clickhousePath } from '#tests/harness/system-programs.ts'
import { createTestDatabase } from '#tests/harness/test-database.ts'

/** A real ClickHouse on a free port, with everything it writes in one folder. */
async function startClickhouse(path: string) {
  const folder = await mkdtemp(join(tmpdir(), 'docent-clickhouse-'))
  const port = await freePort()
  const users =
    '<yandex><profiles><default/></profiles><quotas><default/></quotas><users><default><password></password><profile>default</profile><quota>default</quota><networks><ip>127.0.0.1</ip></networks></default></users></yandex>'
  const config = `<yandex><logger><level>none</level></logger><listen_host>127.0.0.1</listen_host><http_port>${port}</http_port><tcp_port>${await freePort()}</tcp_port><path>${folder}/</path><tmp_path>${folder}/tmp/</tmp_path><mark_cache_size>5368709120</mark_cache_size><users_config>${folder}/users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database></yandex>`
  await writeFile(join(folder, 'users.xml'), users)
  await writeFile(join(folder, 'config.xml'), config)
  const child = spawn(path, [`--config-file=${join(folder, 'config.xml')}`], { cwd: folder, stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  const answers = () =>
    fetch(`${url}/ping`).then(
      (answer) => answer.ok,
      () => false,
    )
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`ClickHouse ended with ${child.exitCode}`)
    await sleep(100)
  }
  return {
    url,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

// Needs ClickHouse, and has nothing to do with the control database, so once is enough.
describe.runIf(clickhousePath !== null && inject('engine') === 'pglite')('a ClickHouse that is configured', () => {
  test('is part of being ready, and doctor tells when it is gone', async () => {
    const clickhouse = await startClickhouse(clickhousePath!)
    const database = await createTestDatabase()
    const settings = {
      ...database.settings,
      clickhouseUrl: clickhouse.url,
    }
    const server = await startServerProcess(settings)
    const ready = await server.fetch('/readyz')
    expect(await ready.json()).toEqual({ status: 'ready', checks: { database: 'ok', queue: 'ok', analytics: 'ok' } })
    await clickhouse.stop()
    const lost = await server.fetch('/readyz')
    expect(lost.status).toBe(503)
    expect(await lost.json()).toEqual({ error: 'Not answering: analytics.', code: 'server.not_ready' })
    const doctor = await runDocent(['doctor'], { ...settings, port: new URL(server.url).port })
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining('ClickHouse at 127.0.0.1') })
    await server.end('SIGTERM')
    await database.delete()
  })
})
