import { expect, test } from 'vitest'
import { verdictOf } from '#backends/events/event-fixture.contract.ts'
import { createClientMemory } from './client-memory.ts'
import type { HitClient } from './hit.ts'

const limits = { mostEntries: 100, mostCharacters: 10_000 }
const reader = { visitor: 1n, verdict: verdictOf('human') }
const client = (fields: Partial<HitClient> = {}): HitClient => ({
  source: 'log',
  address: '192.0.2.1',
  userAgent: 'Mozilla/5.0',
  visitorId: null,
  category: null,
  ...fields,
})

test('only clients that are alike in all that matters share what is known', () => {
  const memory = createClientMemory(limits)
  memory.remember(memory.alikeOf(1, client())!, '192.0.2.1', reader)
  expect(memory.alikeOf(1, client({ address: '192.0.2.2' }))!.get('192.0.2.1')).toBe(reader)
  const others: [number, Partial<HitClient>][] = [
    [2, {}],
    [1, { source: 'events' }],
    [1, { userAgent: null }],
    [1, { userAgent: 'curl/8' }],
    [1, { accept: null }],
    [1, { accept: '' }],
    [1, { accept: 'text/html' }],
    [1, { acceptLanguage: null }],
    [1, { category: 'human' }],
  ]
  for (const [context, fields] of others) expect(memory.alikeOf(context, client(fields))!.size).toBe(0)
})

test('it holds no more than it may, by number and by length, and nothing that is too long', () => {
  for (const [length, most] of [
    [10, limits.mostEntries],
    [500, limits.mostCharacters / 500],
  ] as const) {
    const memory = createClientMemory(limits)
    let largest = 0
    for (let number = 0; number < 1_000; number++) {
      const alike = memory.alikeOf(1, client())!
      memory.remember(alike, String(number).padEnd(length), reader)
      largest = Math.max(largest, alike.size)
    }
    expect(largest).toBeGreaterThan(most / 2)
    expect(largest).toBeLessThanOrEqual(most)
  }
  const memory = createClientMemory(limits)
  for (const field of ['userAgent', 'accept', 'acceptLanguage', 'address'] as const) {
    expect(memory.alikeOf(1, client({ [field]: 'x'.repeat(1_001) }))).toBeNull()
  }
  const headers = Array.from({ length: 100 }, (_, number) => memory.alikeOf(1, client({ accept: `text/${number}` })))
  expect(headers.filter((alike) => alike !== null)).toHaveLength(16)
})
