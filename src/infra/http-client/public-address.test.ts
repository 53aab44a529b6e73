import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPublicAddress, mayBePublicHost } from './public-address.ts'

const privateAddresses: [string, string][] = [
  ['unspecified', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['private', '10.0.0.1'],
  ['private', '10.255.255.255'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.0.1'],
  ['link-local', '169.254.1.1'],
  ['metadata of most clouds', '169.254.169.254'],
  ['metadata of AWS tasks', '169.254.170.2'],
  ['metadata of Alibaba, in carrier-grade NAT', '100.100.100.200'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['carrier-grade NAT', '100.127.255.255'],
  ['metadata of Oracle, in protocol assignments', '192.0.0.192'],
  ['agent of Azure', '168.63.129.16'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.1'],
  ['benchmarks', '198.18.0.1'],
  ['benchmarks', '198.19.255.255'],
  ['6to4 relays', '192.88.99.1'],
  ['multicast', '224.0.0.1'],
  ['multicast', '239.255.255.250'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['IPv4 in IPv6', '::ffff:127.0.0.1'],
  ['IPv4 in IPv6', '::ffff:a9fe:a9fe'],
  ['IPv4 in IPv6', '0:0:0:0:0:ffff:10.0.0.1'],
  ['IPv4 compatible', '::127.0.0.1'],
  ['IPv4 compatible', '::7f00:1'],
  ['IPv4 compatible, though public', '::8.8.8.8'],
  ['IPv4 translated', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::127.0.0.1'],
  ['NAT64', '64:ff9b::a9fe:a9fe'],
  ['NAT64 of a network', '64:ff9b:1::8.8.8.8'],
  ['unique local', 'fc00::1'],
  ['unique local', 'fd12:3456:789a::1'],
  ['metadata of AWS', 'fd00:ec2::254'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['discard', '100::1'],
  ['documentation', '2001:db8::1'],
  ['documentation', '3fff::1'],
  ['Teredo', '2001:0:7f00:1::1'],
  ['6to4 of a private address', '2002:7f00:1::1'],
  ['6to4', '2002:808:808::1'],
  ['ORCHID', '2001:20::1'],
  ['segment routing', '5f00::1'],
  ['never handed out', '4000::1'],
  ['never handed out', 'a000::1'],
]

const publicAddresses = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...[
    '128.0.0.1',
    '168.63.129.15',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
  ],
  ...['192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255', '2606:4700:4700::1111', '2a00:1450:4001::200e'],
  ...['::ffff:8.8.8.8', '64:ff9b::8.8.8.8'],
]

describe('an address', () => {
  test.each(privateAddresses)('of the kind “%s” is not public: %s', (_, address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  test.each(publicAddresses)('of the internet is public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  test.each(['', 'localhost', 'example.com', '1.2.3.4.5', '1.2.3.4/8', '[::1]', '::g', '8.8.8.8\0', ' 8.8.8.8'])(
    'that is none is not public: %j',
    (text) => expect(isPublicAddress(text)).toBe(false),
  )

  test('of IPv4 is as public in IPv6 as it is by itself', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const isPublic = isPublicAddress(address)
        expect(isPublicAddress(`::ffff:${address}`)).toBe(isPublic)
        expect(isPublicAddress(`64:ff9b::${address}`)).toBe(isPublic)
        expect(isPublicAddress(`::${address}`)).toBe(false)
      }),
    )
  })

  test('of IPv6 outside of 2000::/3 is never public, but for IPv4 inside it', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        fc.pre(!/^[23][0-9a-f]{3}:/i.test(address) && !/^(0*:)*:?ffff:|^(0*64:ff9b:)/i.test(address))
        expect(isPublicAddress(address)).toBe(false)
      }),
    )
  })
})

/** As people and attackers write a host; `URL` is what reads it, here and when the request is made. */
const privateHosts = [
  ...['localhost', 'LOCALHOST', 'localhost.', 'LocalHost..', 'a.localhost', 'printer.local', 'nas.lan', 'x.home.arpa'],
  ...['metadata.google.internal', 'metadata.google.internal.', 'host.docker.internal', 'db.intranet', 'a.localdomain'],
  ...[
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
  ],
  ...['0177.0.0.01', '0x7f.0x0.0x0.0x1', '127.0.0.0x1', '0', '0.0.0.0', '0x0', '00000000', '%31%32%37.0.0.1'],
  ...[
    '１２７.０.０.１',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    'ｌｏｃａｌｈｏｓｔ',
    '10.1',
    '0xa000001',
    '012.0.0.1',
    '192.168.257',
  ],
  ...['0xa9fea9fe', '2852039166', '0251.0376.0251.0376', '169.254.43518', '[::1]', '[::]', '[0:0:0:0:0:0:0:1]'],
  ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:a00:1]', '[::127.0.0.1]', '[64:ff9b::10.0.0.1]'],
  ...['[fe80::1]', '[fd00:ec2::254]', '[FD00::1]', '[ff02::1]', '[2002:a00:1::]'],
]

describe('a host in a URL', () => {
  test.each(privateHosts)('that is private however it is written: %s', (host) => {
    expect(mayBePublicHost(new URL(`http://${host}/`).hostname)).toBe(false)
    expect(mayBePublicHost(new URL(`https://${host}:8443/path`).hostname)).toBe(false)
  })

  test.each(['example.com', '8.8.8.8', 'localhost.example.com', 'local.example', 'internal.dev', '[2606:4700::1111]'])(
    'that may be public: %s',
    (host) => expect(mayBePublicHost(new URL(`http://${host}/`).hostname)).toBe(true),
  )
})
