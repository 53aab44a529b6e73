import { openDuckdbEvents } from '#backends/events/duckdb/duckdb-events.ts'
import { everythingOf, newView } from '#backends/events/event-fixture.contract.ts'
import { messageOf } from '#base/errors.ts'
import { createLog } from '#base/log.ts'

/**
 * A program: appends to the event store in the file named until it takes no more, and prints what happened. Run where
 * files cannot grow past a limit, it meets a full disk.
 */
const [file] = process.argv.slice(2)
const log = createLog({ level: 'silent', format: 'json', destination: { write: () => {} } })
const store = openDuckdbEvents({ file: file!, memoryMb: 128, log })
const viewsPerBatch = 500

function batchOf(batch: number) {
  return Array.from({ length: viewsPerBatch }, (_, index) => {
    const id = BigInt(batch * viewsPerBatch + index)
    return newView({ visitor: id, eventId: id, referrer: `https://example.com/${'x'.repeat(300)}${id}` })
  })
}

let acknowledged = 0
let refusal: { kind?: string; code?: string; message: string } | null = null
for (let batch = 0; batch < 100 && refusal === null; batch++) {
  try {
    await store.append(batchOf(batch))
    acknowledged += viewsPerBatch
  } catch (error) {
    const { kind, code } = error as { kind?: string; code?: string }
    refusal = { ...(kind && { kind }), ...(code && { code }), message: messageOf(error) }
  }
}
// Right after it, and once more when all that follows from it is over.
const counted = []
for (let time = 0; time < 2; time++) {
  counted.push((await store.views(everythingOf())).totals.total)
  await new Promise((resolve) => setTimeout(resolve, 300))
}
// Without closing, which would write.
process.stdout.write(JSON.stringify({ acknowledged, refusal, counted }), () => process.exit())
