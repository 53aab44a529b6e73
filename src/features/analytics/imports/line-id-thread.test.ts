import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { wordsOf } from './byte-texts.ts'
import { createLineGatherer, createLineIdThread, type LineIdThread } from './line-id-thread.ts'
import { createLineIds, stretchBytes } from './line-ids.ts'

function startThread(): LineIdThread {
  const thread = createLineIdThread()
  onTestFinished(() => thread[Symbol.asyncDispose]())
  return thread
}

interface RawLine {
  raw: string
  start: number
}

function gathered(lines: RawLine[]) {
  const gatherer = createLineGatherer()
  for (const { raw, start } of lines) {
    const bytes = Buffer.from(`before${raw}after`, 'latin1')
    gatherer.add({ bytes, words: wordsOf(bytes), from: 6, to: 6 + raw.length, start, end: start + raw.length + 1 })
  }
  return gatherer.take()
}

function idsHere(lines: RawLine[]): number[] {
  const ids = createLineIds()
  return lines.flatMap((line) => {
    const { high, low } = ids.idOf(line)
    return [low, high]
  })
}

const anyLines = fc
  .array(fc.tuple(fc.constantFrom('', 'a', 'b', '\xe9\0\r', 'a b'), fc.nat({ max: stretchBytes })), { maxLength: 40 })
  .map((steps): RawLine[] => {
    let start = 0
    return steps.map(([raw, step]) => {
      start += step
      return { raw, start }
    })
  })

test('gives the ids that are made without it, however the lines are cut into batches and logs come in between', async () => {
  const thread = startThread()
  await fc.assert(
    fc.asyncProperty(anyLines, anyLines, fc.nat(), async (one, other, place) => {
      using ofOne = thread.openLog()
      using ofOther = thread.openLog()
      const cut = place % (one.length + 1)
      const batches = await Promise.all([
        ofOne.idsOf(gathered(one.slice(0, cut))),
        ofOther.idsOf(gathered(other)),
        ofOne.idsOf(gathered(one.slice(cut))),
      ])
      expect([...batches[0], ...batches[2]]).toEqual(idsHere(one))
      expect([...batches[1]]).toEqual(idsHere(other))
    }),
  )
})

test('once it has ended, whoever asks is told', async () => {
  const thread = startThread()
  const log = thread.openLog()
  await log.idsOf(gathered([{ raw: 'a', start: 0 }]))
  await thread[Symbol.asyncDispose]()
  await expect(log.idsOf(gathered([{ raw: 'b', start: 2 }]))).rejects.toThrow('has ended')
})

test('lines of any number and length are gathered, time and again', async () => {
  using log = startThread().openLog()
  const gatherer = createLineGatherer()
  for (const [count, length] of [
    [10_000, 300],
    [3, 60_000],
    [0, 0],
    [100, 1],
  ] as const) {
    const bytes = Buffer.alloc(length, 'x')
    const line = { bytes, words: wordsOf(bytes), from: 0, to: length, end: 0 }
    for (let start = 0; start < count; start++) gatherer.add({ ...line, start })
    const lines = gatherer.take()
    expect([lines.ends.length, lines.ends.at(-1) ?? 0]).toEqual([count, count * length])
    expect((await log.idsOf(lines)).length).toBe(2 * count)
  }
})
