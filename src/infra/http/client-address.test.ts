import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clientAddress, normalAddress } from './client-address.ts'

const trustedProxies = ['10.0.0.0/8', '192.0.2.7', 'fd00::/8', '::1']
type Header = 'x-forwarded-for' | 'forwarded' | 'cf-connecting-ip'

function addressOf(peer: string | undefined, proxyHeader: Header, value?: string): string | null {
  return clientAddress({ peer, headers: { [proxyHeader]: value } }, { trustedProxies, proxyHeader })
}

describe('without a trusted proxy', () => {
  test.each([
    ['198.51.100.4', '198.51.100.4'],
    ['::ffff:198.51.100.4', '198.51.100.4'],
    ['::FFFF:c633:6404', '198.51.100.4'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    [undefined, null],
  ])('the peer %s is %s, whatever headers say', (peer, address) => {
    for (const header of ['x-forwarded-for', 'forwarded', 'cf-connecting-ip'] as const) {
      expect(addressOf(peer, header)).toBe(address)
      expect(addressOf(peer, header, header === 'forwarded' ? 'for=203.0.113.9' : '203.0.113.9')).toBe(address)
    }
  })
})

describe('behind a trusted proxy', () => {
  const cases: [Header, string, string][] = [
    ['x-forwarded-for', '203.0.113.9', '203.0.113.9'],
    ['x-forwarded-for', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['x-forwarded-for', 'garbage, 203.0.113.9', '203.0.113.9'],
    ['x-forwarded-for', '203.0.113.9, 10.1.1.1, 192.0.2.7', '203.0.113.9'],
    ['x-forwarded-for', '1.1.1.1,203.0.113.9,fd00::5', '203.0.113.9'],
    ['x-forwarded-for', '203.0.113.9:4711', '203.0.113.9'],
    ['x-forwarded-for', '2001:db8::9', '2001:db8::9'],
    ['x-forwarded-for', '[2001:db8::9]:4711', '2001:db8::9'],
    ['x-forwarded-for', '::ffff:203.0.113.9', '203.0.113.9'],
    ['x-forwarded-for', '10.2.2.2, 10.3.3.3', '10.2.2.2'],
    ['forwarded', 'for=203.0.113.9', '203.0.113.9'],
    ['forwarded', 'For="203.0.113.9:4711";proto=https;by=10.0.0.1', '203.0.113.9'],
    ['forwarded', 'proto=https; for="[2001:db8:cafe::17]:4711"', '2001:db8:cafe::17'],
    ['forwarded', 'for="[2001:db8:cafe::17]"', '2001:db8:cafe::17'],
    ['forwarded', 'for=1.1.1.1, for=203.0.113.9, for=10.9.9.9;proto=http', '203.0.113.9'],
    ['forwarded', 'for=1.1.1.1;host="a,b;c", for=203.0.113.9', '203.0.113.9'],
    ['forwarded', 'for="\\203.0.113.9"', '203.0.113.9'],
    ['cf-connecting-ip', '203.0.113.9', '203.0.113.9'],
    ['cf-connecting-ip', ' 2001:DB8::9 ', '2001:db8::9'],
  ]
  test.each(cases)('%s: %s is %s', (header, value, address) => {
    expect(addressOf('10.0.0.1', header, value)).toBe(address)
    expect(addressOf('::ffff:10.0.0.1', header, value)).toBe(address)
  })

  const unreadable: [Header, string][] = [
    ['x-forwarded-for', ''],
    ['x-forwarded-for', 'unknown'],
    ['x-forwarded-for', '203.0.113.9, unknown'],
    ['x-forwarded-for', '203.0.113.9,'],
    ['x-forwarded-for', '203.0.113.256'],
    ['x-forwarded-for', '0x7f.1'],
    ['x-forwarded-for', '2130706433'],
    ['x-forwarded-for', '[203.0.113.9]'],
    ['x-forwarded-for', `${'1.1.1.1,'.repeat(1000)}203.0.113.9`],
    ['forwarded', 'for=unknown'],
    ['forwarded', 'for=_hidden'],
    ['forwarded', 'proto=https'],
    ['forwarded', 'for=203.0.113.9, proto=https'],
    ['forwarded', 'for="203.0.113.9'],
    ['forwarded', 'for=203.0.113.9 and more'],
    ['forwarded', '203.0.113.9'],
    ['cf-connecting-ip', '203.0.113.9, 203.0.113.10'],
    ['cf-connecting-ip', 'null'],
  ]
  test.each(unreadable)('%s: %s leaves the proxy itself', (header, value) => {
    expect(addressOf('10.0.0.1', header, value)).toBe('10.0.0.1')
  })

  test('only the configured header is believed', () => {
    const headers = {
      'x-forwarded-for': '203.0.113.9',
      forwarded: 'for=203.0.113.10',
      'cf-connecting-ip': '203.0.113.11',
    }
    const read = (proxyHeader: Header) => clientAddress({ peer: '10.0.0.1', headers }, { trustedProxies, proxyHeader })
    expect([read('x-forwarded-for'), read('forwarded'), read('cf-connecting-ip')]).toEqual([
      '203.0.113.9',
      '203.0.113.10',
      '203.0.113.11',
    ])
  })
})

describe('whatever a client sends', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.constantFrom(',', ';', '"', '\\', 'for=', '[', ']', ':', '1.1.1.1', '::1', '%', ' ', '10.0.0.1'))
      .map((parts) => parts.join('')),
  )
  const headers: Header[] = ['x-forwarded-for', 'forwarded', 'cf-connecting-ip']

  test('it cannot choose its address: what the proxy adds at the end decides', () => {
    fc.assert(
      fc.property(
        text,
        fc.ipV4().filter((address) => !address.startsWith('10.') && address !== '192.0.2.7'),
        (sent, real) => {
          expect(addressOf('10.0.0.1', 'x-forwarded-for', `${sent.slice(0, 100)}, ${real}`)).toBe(real)
        },
      ),
    )
  })

  test.each([' '.repeat(4000), 'a'.repeat(4000), `for="${'\\\\'.repeat(2000)}`, `for=${'1'.repeat(4000)}`])(
    'a long header takes no time',
    (start) => {
      // The machine may be busy; the quickest of several is what the work itself takes.
      const took = Array.from({ length: 5 }, () => {
        const began = performance.now()
        expect(addressOf('10.0.0.1', 'forwarded', `${start}\x01`)).toBe('10.0.0.1')
        return performance.now() - began
      })
      expect(Math.min(...took)).toBeLessThan(200)
    },
  )

  test('the result is an address in its one spelling', () => {
    fc.assert(
      fc.property(text, fc.constantFrom(...headers), (sent, header) => {
        const address = addressOf('10.0.0.1', header, sent)!
        expect(normalAddress(address)).toBe(address)
        expect(addressOf('203.0.113.9', header, sent)).toBe('203.0.113.9')
      }),
      { numRuns: 2000 },
    )
  })

  test('every spelling of an IPv6 address is one address', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const once = normalAddress(address)
        expect(normalAddress(address.toUpperCase())).toBe(once)
        expect(normalAddress(`[${address}]:80`)).toBe(once)
        expect(normalAddress(once!)).toBe(once)
      }),
    )
  })
})
