import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '#base/log.ts'
import { everythingOf, newView } from '../event-fixture.contract.ts'
import { openDuckdbEvents } from './duckdb-events.ts'

const fill = join(import.meta.dirname, '../../../../tests/harness/fill-event-store.ts')
const log = createLog({ level: 'silent', format: 'json', destination: { write: () => {} } })

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-full-disk-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('a full disk refuses views with 503, loses none that were acknowledged, and all goes on when there is room', async () => {
  const file = join(folder, 'analytics.duckdb')
  // What the kernel answers to a write past this limit, which is in units of 512 bytes or of 1,024 by the shell, is an
  // error as of a full disk, if the signal that comes with it is ignored.
  const command = `trap '' XFSZ; ulimit -f 3000; exec "$0" "$1" "$2"`
  const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, fill, file])
  const { acknowledged, refusal, counted } = JSON.parse(stdout)
  expect(refusal).toMatchObject({ kind: 'unavailable' })
  expect(acknowledged).toBeGreaterThan(0)
  expect(counted).toEqual([acknowledged, acknowledged])

  const store = openDuckdbEvents({ file, memoryMb: 128, log })
  const total = async () => (await store.views(everythingOf())).totals.total
  expect(await total()).toBe(acknowledged)
  await store.append([newView({ eventId: 1n }), newView({ eventId: 2n ** 60n })])
  expect(await total()).toBe(acknowledged + 1)
  await store.close()
})
