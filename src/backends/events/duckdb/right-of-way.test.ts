import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRightOfWay, type RightOfWay } from './right-of-way.ts'

let rightOfWay: RightOfWay
beforeEach(() => {
  vi.useFakeTimers()
  rightOfWay = createRightOfWay()
})
afterEach(() => {
  vi.useRealTimers()
})

const lasting = (ms: number) => () => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** How long it takes to give way from now on. */
async function timeToGive(): Promise<number> {
  const startedAt = performance.now()
  let waitedMs = Number.NaN
  void rightOfWay.give().then(() => {
    waitedMs = performance.now() - startedAt
  })
  await vi.advanceTimersByTimeAsync(10_000)
  return waitedMs
}

test('where nobody counts, nobody waits', async () => {
  expect(await timeToGive()).toBe(0)
  await Promise.all([rightOfWay.take(lasting(50)), vi.advanceTimersByTimeAsync(50)])
  expect(await timeToGive()).toBe(0)
})

test('gives way until all who count are done', async () => {
  void rightOfWay.take(lasting(50))
  void rightOfWay.take(lasting(120))
  expect(await timeToGive()).toBe(120)
})

test('does not wait long for one who takes long', async () => {
  void rightOfWay.take(lasting(60_000))
  await vi.advanceTimersByTimeAsync(150)
  expect(await timeToGive()).toBe(50)
  expect(await timeToGive()).toBe(0)
})

test('is never held up by those who come one after the other', async () => {
  const comeAgain = () => void rightOfWay.take(lasting(100)).then(comeAgain)
  comeAgain()
  await vi.advanceTimersByTimeAsync(50)
  comeAgain()
  expect(await timeToGive()).toBe(100)
})

test('a count that fails is over too, and says why', async () => {
  const failed = rightOfWay.take(async () => {
    throw new Error('no such page')
  })
  await expect(failed).rejects.toThrow('no such page')
  expect(await timeToGive()).toBe(0)
})
