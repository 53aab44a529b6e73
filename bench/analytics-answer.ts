// A process that only opens the store and answers, as bench/analytics.ts asks it to: its first answer, and the most
// memory it ever took. Run by that: <file> <memory in MB> <project> <from> <to>
import { openDuckdbEvents } from '#backends/events/duckdb/duckdb-events.ts'
import { createLog } from '#base/log.ts'

const [file, memoryMb, projectId, from, to] = process.argv.slice(2)
const log = createLog({ level: 'warn', format: 'json', destination: process.stderr })
const startedAt = performance.now()
const store = openDuckdbEvents({ file: file!, memoryMb: Number(memoryMb), log })
const range = { from: Number(from), to: Number(to) }
const query = { projectId: projectId!, range, ai: 'all', limit: 50, offset: 0 } as const
await store.visitors(query)
const firstMs = performance.now() - startedAt
for (let round = 0; round < 10; round++) await store.visitors(query)
const wholeDaysMb = process.resourceUsage().maxRSS / 1024
// A time of day at both ends, which the quick path cannot answer alone.
await store.visitors({ ...query, range: { from: range.from + 3_600_000, to: range.to - 3_600_000 } })
const withTimeMb = process.resourceUsage().maxRSS / 1024
await store.views(query)
await store.agents(query)
for (const interval of ['hour', 'day', 'week', 'month'] as const) await store.timeseries({ ...query, interval })
await store.close()
console.log(JSON.stringify({ firstMs, wholeDaysMb, withTimeMb, allMb: process.resourceUsage().maxRSS / 1024 }))
