// Several engines answer the same question in turn; whoever is quick must be right too.
import { isDeepStrictEqual } from 'node:util'
import type { PathReport, Range } from '#backends/events/event-store.ts'
import { median } from './table.ts'

export async function timed<T>(work: () => Promise<T>): Promise<{ tookMs: number; result: T }> {
  const startedAt = performance.now()
  const result = await work()
  return { tookMs: performance.now() - startedAt, result }
}

export interface Engine {
  name: string
  /** How often it is asked, at most. */
  rounds: number
  visitors(range: Range): Promise<PathReport>
}

/** Medians by engine; in each round each engine answers once. Throws when they disagree. */
export async function compare(
  engines: Engine[],
  { range, rounds }: { range: Range; rounds: number },
): Promise<number[]> {
  const times: number[][] = engines.map(() => [])
  for (let round = 0; round < rounds; round++) {
    let expected: PathReport | null = null
    for (const [index, engine] of engines.entries()) {
      if (round >= engine.rounds) continue
      const { tookMs, result } = await timed(() => engine.visitors(range))
      times[index]!.push(tookMs)
      expected ??= result
      expectEqual({ name: engine.name, found: result, ours: expected })
    }
  }
  return times.map(median)
}

export function expectEqual({ name, found, ours }: { name: string; found: PathReport; ours: PathReport }): void {
  if (isDeepStrictEqual(found, ours)) return
  const row = found.rows.findIndex((one, index) => !isDeepStrictEqual(one, ours.rows[index]))
  const show = (report: PathReport) => JSON.stringify([report.totals, report.hasMore, report.rows[row] ?? null])
  throw new Error(`The answers differ: ours ${show(ours)}, ${name} ${show(found)}`)
}
