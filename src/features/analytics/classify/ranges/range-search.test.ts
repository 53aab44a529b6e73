import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { expect, test } from 'vitest'
import { isIn, parseAddress, parseBlock } from './address.ts'
import { createRangeSearch } from './range-search.ts'

const four = fc.ipV4()
// Without dots, which ipaddr.js takes wrongly; those are tried below.
const plain6 = fc.ipV6().map((address) => new URL(`http://[${address}]`).hostname.slice(1, -1))
const six = fc.oneof(
  plain6,
  fc.ipV4().map((address) => `::ffff:${address}`),
)

test('addresses are read as ipaddr.js reads them', () => {
  fc.assert(
    fc.property(fc.oneof(four, six), (text) => {
      const expected = ipaddr.process(text).toByteArray()
      const address = parseAddress(text)!
      expect(address.bits).toBe(expected.length * 8)
      const bytes = [...Array(expected.length).keys()].map((place) =>
        Number((BigInt(address.value) >> BigInt(8 * (expected.length - 1 - place))) & 255n),
      )
      expect(bytes).toEqual(expected)
    }),
  )
})

test.each<[string, bigint | number]>([
  ['::8.8.8.8', 0x08080808n],
  ['::ffff:8.8.8.8', 0x08080808],
  ['64:ff9b::1.2.3.4', (0x64ff9bn << 96n) | 0x01020304n],
])('%s with dots in it is %d', (text, value) => {
  expect(parseAddress(text)!.value).toBe(value)
})

test.each([
  '',
  '1.2.3',
  '1.2.3.4.5',
  '01.2.3.4',
  '1.2.3.256',
  '0x7f.0.0.1',
  '1.2.3.4 ',
  '1..2.3',
  '.1.2.3',
  '1.2.3.',
  'localhost',
  '::g',
  '1.2.3.4/8',
  ':'.repeat(9_000),
  '-1.2.3.4',
])('%s is no address', (text) => {
  expect(parseAddress(text)).toBeNull()
})

test.each(['10.0.0.0/33', '10.0.0/8', '/8', '10.0.0.0/', '10.0.0.0/8/8', '2001:db8::/129', '10.0.0.0/-1', 'x'])(
  '%s is no network',
  (text) => {
    expect(parseBlock(text)).toBeNull()
  },
)

test('a network has the addresses that ipaddr.js says it has', () => {
  const cases = fc.oneof(fc.tuple(four, fc.nat(32), four), fc.tuple(plain6, fc.nat(128), plain6))
  fc.assert(
    fc.property(cases, ([base, length, address]) => {
      const expected =
        ipaddr.process(base).kind() === ipaddr.process(address).kind() &&
        ipaddr.parse(address).match(ipaddr.parseCIDR(`${base}/${length}`))
      expect(isIn(parseAddress(address)!, parseBlock(`${base}/${length}`)!)).toBe(expected)
    }),
  )
})

test('lists that overlap are found as asking each of them would', () => {
  // Few addresses, so that networks lie inside each other and side by side.
  const near4 = fc.tuple(fc.nat(3), fc.nat(255)).map(([third, fourth]) => `10.0.${third}.${fourth}`)
  const near6 = fc.nat(255).map((last) => `2001:db8::${last.toString(16)}`)
  const prefix = fc.oneof(
    fc.tuple(near4, fc.integer({ min: 20, max: 32 })).map(([base, length]) => `${base}/${length}`),
    fc.tuple(near6, fc.integer({ min: 118, max: 128 })).map(([base, length]) => `${base}/${length}`),
    near4,
  )
  const lists = fc.array(fc.array(prefix, { maxLength: 8 }), { maxLength: 6 })
  fc.assert(
    fc.property(lists, fc.array(fc.oneof(near4, near6, four), { minLength: 1, maxLength: 20 }), (given, addresses) => {
      const ranges = createRangeSearch(given.map((prefixes, place) => ({ name: String(place), prefixes })))
      for (const text of addresses) {
        const address = parseAddress(text)!
        const expected = given.map((prefixes) => prefixes.some((one) => isIn(address, parseBlock(one)!)))
        const found = ranges.find(address)
        expect(given.map((_, place) => (found & (1 << place)) !== 0)).toEqual(expected)
      }
    }),
  )
})

test('the first and last addresses there are can be on a list', () => {
  const ranges = createRangeSearch([
    {
      name: 'ends',
      prefixes: ['0.0.0.0/32', '255.255.255.255', '::/128', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128'],
    },
  ])
  for (const address of ['0.0.0.0', '255.255.255.255', '::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'])
    expect(ranges.find(parseAddress(address)!)).toBe(1)
  for (const address of ['0.0.0.1', '255.255.255.254', '::2', '1.2.3.4'])
    expect(ranges.find(parseAddress(address)!)).toBe(0)
})
