import { expect, test } from 'vitest'
import { type Finished, finish, makeVariant } from './finished.ts'
import { createShelf } from './shelf.ts'

const page = (bytes: number): Finished => finish(Buffer.alloc(bytes, 'a'), { headers: { 'content-type': 'text/html' } })

test('what is asked for twice at once is made once, and then stands there', async () => {
  const shelf = createShelf()
  let made = 0
  const work = async () => {
    made++
    await new Promise((resolve) => setTimeout(resolve, 5))
    return page(10)
  }
  const [first, second] = await Promise.all([shelf.make('a', work), shelf.make('a', work)])
  expect(made).toBe(1)
  expect(first).toBe(second)
  expect(shelf.find('a')).toBe(first)
  expect(shelf.find('b')).toBeNull()
})

test('what could not be made is tried again by the next', async () => {
  const shelf = createShelf()
  const failing = shelf.make('a', async () => {
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(shelf.find('a')).toBeNull()
  const made = await shelf.make('a', async () => page(1))
  expect(shelf.find('a')).toBe(made)
})

test('it never holds more than its limit, and lets go of what was not asked for longest', async () => {
  const shelf = createShelf({ limitBytes: 50_000 })
  for (let index = 0; index < 9; index++) await shelf.make(`${index}`, async () => page(9_000))
  expect(shelf.bytes()).toBeLessThanOrEqual(50_000)
  expect(shelf.find('0')).toBeNull()
  expect(shelf.find('4')).not.toBeNull()
  await shelf.make('more', async () => page(9_000))
  // Asked for just now, so the next in age went.
  expect(shelf.find('4')).not.toBeNull()
  expect(shelf.find('5')).toBeNull()
})

test('one that is as large as the others together is answered but not kept', async () => {
  const shelf = createShelf({ limitBytes: 50_000 })
  await shelf.make('small', async () => page(9_000))
  const large = await shelf.make('large', async () => page(40_000))
  expect(large.body).toHaveLength(40_000)
  expect(shelf.find('large')).toBeNull()
  expect(shelf.find('small')).not.toBeNull()
})

test('compressed forms are counted too', async () => {
  const shelf = createShelf()
  const finished = await shelf.make('a', async () => page(100_000))
  const before = shelf.bytes()
  const { bytes, latin1, headers } = await makeVariant(finished, 'gzip')
  shelf.weigh('a')
  expect(headers['content-encoding']).toBe('gzip')
  expect(shelf.bytes()).toBe(before + bytes.length + latin1!.length)
})
