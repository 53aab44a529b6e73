import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createLineIdThread, type IdentifiedLines, type LineIdThread } from './line-id-thread.ts'
import { createLineIds, stretchBytes } from './line-ids.ts'

function startThread(): LineIdThread {
  const thread = createLineIdThread()
  onTestFinished(() => thread[Symbol.asyncDispose]())
  return thread
}

function idsHere({ raw, start }: IdentifiedLines): number[] {
  const ids = createLineIds()
  return raw.flatMap((text, index) => {
    const { high, low } = ids.idOf({ raw: text, start: start[index]! })
    return [low, high]
  })
}

const anyLines = fc
  .array(fc.tuple(fc.constantFrom('', 'a', 'b', '\xe9\0\r', 'a b'), fc.nat({ max: stretchBytes })), { maxLength: 40 })
  .map((steps): IdentifiedLines => {
    let start = 0
    return { raw: steps.map(([raw]) => raw), start: steps.map(([, step]) => (start += step)) }
  })

test('gives the ids that are made without it, however the lines are cut into batches and logs come in between', async () => {
  const thread = startThread()
  await fc.assert(
    fc.asyncProperty(anyLines, anyLines, fc.nat(), async (one, other, place) => {
      using ofOne = thread.openLog()
      using ofOther = thread.openLog()
      const cut = place % (one.raw.length + 1)
      const batches = await Promise.all([
        ofOne.idsOf({ raw: one.raw.slice(0, cut), start: one.start.slice(0, cut) }),
        ofOther.idsOf(other),
        ofOne.idsOf({ raw: one.raw.slice(cut), start: one.start.slice(cut) }),
      ])
      expect([...batches[0], ...batches[2]]).toEqual(idsHere(one))
      expect([...batches[1]]).toEqual(idsHere(other))
    }),
  )
})

test('once it has ended, whoever asks is told', async () => {
  const thread = startThread()
  const log = thread.openLog()
  await log.idsOf({ raw: ['a'], start: [0] })
  await thread[Symbol.asyncDispose]()
  await expect(log.idsOf({ raw: ['b'], start: [2] })).rejects.toThrow('has ended')
})
