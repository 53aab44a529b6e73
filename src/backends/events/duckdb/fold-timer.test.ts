import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '#base/log.ts'
import { createFoldTimer, type FoldTimer } from './fold-timer.ts'

const log = createLog({ level: 'silent', format: 'json', destination: { write: () => {} } })

let rows: number
let folds: number
let isFailing: boolean
let timer: FoldTimer
beforeEach(() => {
  vi.useFakeTimers()
  rows = 0
  folds = 0
  isFailing = false
  timer = createFoldTimer({
    log,
    tailRows: () => rows,
    async fold() {
      folds++
      if (isFailing) throw new Error('no space left')
      rows = 0
    },
  })
})
afterEach(() => {
  timer.stop()
  vi.useRealTimers()
})

function commit(count: number): void {
  rows += count
  timer.committed()
}

test('a tail is folded soon after views came, and then not again before more do', async () => {
  commit(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(folds).toBe(1)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(folds).toBe(1)
})

test('while views keep coming folding waits, but not for ever', async () => {
  for (let at = 0; at < 20_000; at += 100) {
    commit(1)
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(folds).toBe(0)
  for (let at = 0; at < 20_000; at += 100) {
    commit(1)
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(folds).toBeGreaterThan(0)
})

test('the pauses between the batches of an import are none', async () => {
  for (let at = 0; at < 20_000; at += 700) {
    commit(10_000)
    await vi.advanceTimersByTimeAsync(700)
  }
  expect(folds).toBe(0)
  await vi.advanceTimersByTimeAsync(2_000)
  expect([folds, rows]).toEqual([1, 0])
})

test('where folding takes long it is rarer, until the tail is full: then it waits for nothing', async () => {
  timer.took(4_000)
  commit(1)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(folds).toBe(0)
  commit(900_000)
  await vi.advanceTimersByTimeAsync(1)
  expect(folds).toBe(1)
})

test('a tail may grow longer while nobody counts, and is folded as soon as somebody does', async () => {
  for (let at = 0; at < 5_000; at += 100) {
    commit(10_000)
    await vi.advanceTimersByTimeAsync(100)
  }
  expect([folds, rows]).toEqual([0, 500_000])
  timer.asked()
  await vi.advanceTimersByTimeAsync(1)
  expect([folds, rows]).toEqual([1, 0])
  commit(300_000)
  await vi.advanceTimersByTimeAsync(1)
  expect(folds).toBe(2)
})

test('one that fails is tried again after a while, however full the tail is', async () => {
  isFailing = true
  commit(900_000)
  await vi.advanceTimersByTimeAsync(9_000)
  expect(folds).toBe(1)
  isFailing = false
  await vi.advanceTimersByTimeAsync(2_000)
  expect([folds, rows]).toEqual([2, 0])
})

test('stopped, it folds no more', async () => {
  commit(900_000)
  timer.stop()
  commit(1)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(folds).toBe(0)
})
