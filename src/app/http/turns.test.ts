import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('of work that comes at once one is done in each turn of the event loop, in the order in which it came', async () => {
  const turns = createTurns()
  const done: string[] = []
  for (const name of ['a', 'b', 'c']) turns.take(() => done.push(name))
  expect(done).toEqual([])
  for (const expected of ['a', 'ab', 'abc']) {
    await new Promise(setImmediate)
    expect(done.join('')).toBe(expected)
  }
  turns.take(() => done.push('d'))
  await new Promise(setImmediate)
  expect(done.join('')).toBe('abcd')
})

test('work that brings more work has it done after what waits already', async () => {
  const turns = createTurns()
  const done: string[] = []
  turns.take(() => {
    done.push('a')
    turns.take(() => done.push('c'))
  })
  turns.take(() => done.push('b'))
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
  expect(done.join('')).toBe('abc')
})
