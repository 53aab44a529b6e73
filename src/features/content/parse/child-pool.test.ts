import { expect, test } from 'vitest'
import { createChildPool } from './child-pool.ts'
import type { ParserAnswer, ParserRequest } from './parser-child.ts'

const childFile = new URL('./parser-child.ts', import.meta.url)
const page = (name: string): ParserRequest => ({ pages: [{ source: `# ${name}`, path: 'a.mdx' }] })

test('what somebody waits for is done before all that is not', async () => {
  const pool = createChildPool<ParserRequest, ParserAnswer>({ childFile, memoryMb: 256, lanes: 1 })
  const order: string[] = []
  const run = async (name: string, isUrgent: boolean) => {
    await pool.run(page(name), { timeoutMs: 5_000, isUrgent })
    order.push(name)
  }
  await Promise.all([run('first', false), run('b', false), run('c', false), run('urgent', true)])
  expect(order).toEqual(['first', 'urgent', 'b', 'c'])
  await pool.close()
})

test('closing ends what is under way, and a child that is needed again is started again', async () => {
  const pool = createChildPool<ParserRequest, ParserAnswer>({ childFile, memoryMb: 256, lanes: 1 })
  await pool.run(page('a'), { timeoutMs: 5_000 })
  const endless = { pages: [{ source: '{<A>{/*}*/}'.repeat(200), path: 'a.mdx' }] }
  const lost = pool.run(endless, { timeoutMs: 60_000 })
  setTimeout(() => pool.close(), 100)
  expect(await lost).toBeNull()
  expect(await pool.run(page('a'), { timeoutMs: 5_000 })).toMatchObject({ pages: [{ problems: [] }] })
  await pool.close()
})

test('a child that cannot start is said so', async () => {
  const missing = new URL('./no-such-child.ts', import.meta.url)
  const pool = createChildPool<ParserRequest, ParserAnswer>({ childFile: missing, memoryMb: 256 })
  await expect(pool.run(page('a'), { timeoutMs: 1_000 })).rejects.toMatchObject({ kind: 'unavailable' })
})
