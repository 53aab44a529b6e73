import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '#base/log.ts'
import { createMemoryEventStore } from '#tests/harness/memory-event-store.ts'
import { readExport } from '#tests/harness/read-export.ts'
import { describeEventStore } from '../event-store.contract.ts'
import { openDuckdbEvents } from './duckdb-events.ts'

const log = createLog({ level: 'silent', format: 'json', destination: { write: () => {} } })

async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'docent-events-'))
  const input = { file: join(folder, 'analytics.duckdb'), memoryMb: 128, log }
  const opened = {
    store: openDuckdbEvents(input),
    async reopen() {
      await opened.store.close()
      opened.store = openDuckdbEvents(input)
    },
    async [Symbol.asyncDispose]() {
      await opened.store.close()
      await rm(folder, { recursive: true })
    },
  }
  return opened
}

describeEventStore('DuckDB', {
  open,
  openOracle: createMemoryEventStore,
  formats: ['jsonl', 'parquet'],
  readExport,
})
