import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FieldName, type LogEntry, presentOrNull } from '../log-entry.ts'
import { detectFormat, type FormatName, logFormats } from '../log-formats.ts'

const noFields = new Map<FieldName, string>()
const parseAs = (name: FormatName, line: string, fields = noFields) => logFormats[name].open({ fields })(line)

interface Sample {
  /** Where the line, or its form, is from. */
  source: string
  format: FormatName
  line: string
  expected: Partial<LogEntry>
}

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/78.0.3904.108 Safari/537.36'

const samples: Sample[] = [
  {
    source: 'common log format, httpd.apache.org/docs/2.4/logs.html',
    format: 'combined',
    line: '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326',
    expected: {
      at: Date.UTC(2000, 9, 10, 20, 55, 36),
      method: 'GET',
      target: '/apache_pb.gif',
      status: 200,
      address: '127.0.0.1',
      userAgent: null,
      referrer: null,
    },
  },
  {
    source: 'combined log format, httpd.apache.org/docs/2.4/logs.html',
    format: 'combined',
    line: '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326 "http://www.example.com/start.html" "Mozilla/4.08 [en] (Win98; I ;Nav)"',
    expected: { referrer: 'http://www.example.com/start.html', userAgent: 'Mozilla/4.08 [en] (Win98; I ;Nav)' },
  },
  {
    source: 'vhost_combined of Debian’s apache2.conf: "%v:%p %h %l %u %t …"',
    format: 'combined',
    line: 'docs.example.com:443 2001:db8::7 - - [31/Dec/2025:23:59:59 +0100] "GET /guide/?a=1 HTTP/1.1" 200 12 "-" "curl/8.5.0"',
    expected: {
      at: Date.UTC(2025, 11, 31, 22, 59, 59),
      host: 'docs.example.com:443',
      address: '2001:db8::7',
      target: '/guide/?a=1',
      referrer: null,
      userAgent: 'curl/8.5.0',
    },
  },
  {
    source: 'log_format main of nginx.org’s packages, with $http_x_forwarded_for last',
    format: 'combined',
    line: '10.0.0.2 - - [15/Nov/2026:08:00:00 +0000] "GET / HTTP/1.1" 304 0 "-" "Mozilla/5.0" "203.0.113.9, 10.0.0.1"',
    expected: { status: 304, address: '10.0.0.2', forwardedFor: '203.0.113.9, 10.0.0.1' },
  },
  {
    source: 'Traefik’s common format, doc.traefik.io/traefik/observability/access-logs: fields after the user agent',
    format: 'combined',
    line: '192.168.1.100 - - [15/May/2025:12:06:30 +0000] "GET /api HTTP/1.1" 200 1024 "-" "Mozilla/5.0" 42 "router" "http://backend" 150ms',
    expected: { target: '/api', userAgent: 'Mozilla/5.0' },
  },
  {
    source: 'nginx escapes quotes in variables as \\x22, nginx.org/en/docs/http/ngx_http_log_module.html',
    format: 'combined',
    line: '192.0.2.1 - - [15/Nov/2026:08:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "say \\x22hi\\x22 \\x5C \\xC3\\xA9"',
    expected: { userAgent: 'say "hi" \\ é' },
  },
  {
    source: 'Apache escapes quotes as \\", httpd.apache.org/docs/2.4/mod/mod_log_config.html',
    format: 'combined',
    line: '192.0.2.1 - - [15/Nov/2026:08:00:00 +0000] "GET /a HTTP/1.1" 200 5 "https://x.example/?q=\\"b\\"" "a\\\\b \\"c\\""',
    expected: { referrer: 'https://x.example/?q="b"', userAgent: 'a\\b "c"' },
  },
  {
    source: 'TLS spoken to a plain port: no request, as nginx logs it',
    format: 'combined',
    line: '198.51.100.4 - - [04/Apr/2024:09:02:13 +0800] "\\x16\\x03\\x01\\x00\\xEE\\x01" 400 163 "-" "-"',
    expected: { status: 400, method: '', userAgent: null },
  },
  {
    source: 'a user name with spaces, from HTTP Basic',
    format: 'combined',
    line: '192.0.2.1 - ada lovelace [15/Nov/2026:08:00:00 +0000] "GET /a HTTP/1.1" 200 5',
    expected: { address: '192.0.2.1', target: '/a' },
  },
  {
    source: 'docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html',
    format: 'cloudfront',
    line: `2019-12-04\t21:02:31\tLAX1\t392\t192.0.2.100\tGET\td111111abcdef8.cloudfront.net\t/index.html\t200\t-\t${chrome.replaceAll(' ', '%20')}\t-\t-\tHit\tSOX4xwn4XV6Q4rgb7XiVGOHms_BGlTAC4KyHmureZmBNrjGdRLiNIQ==\td111111abcdef8.cloudfront.net\thttps\t23\t0.001\t-\tTLSv1.2\tECDHE-RSA-AES128-GCM-SHA256\tHit\tHTTP/2.0\t-\t-\t11040\t0.001\tHit\ttext/html\t78\t-\t-`,
    expected: {
      at: Date.UTC(2019, 11, 4, 21, 2, 31),
      method: 'GET',
      target: '/index.html',
      status: 200,
      address: '192.0.2.100',
      host: 'd111111abcdef8.cloudfront.net',
      userAgent: chrome,
      referrer: null,
    },
  },
  {
    source: 'the same, with the user agent encoded twice as CloudFront does it',
    format: 'cloudfront',
    line: `2019-12-04\t21:02:31\tLAX1\t392\t192.0.2.100\tGET\td1.cloudfront.net\t/a\t200\thttps://www.example.com/\t${chrome.replaceAll(' ', '%2520')}\tq=1`,
    expected: { userAgent: chrome, referrer: 'https://www.example.com/' },
  },
  {
    source: 'caddyserver.com/docs/logging',
    format: 'json',
    line: '{"level":"info","ts":1646861401.5241024,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"127.0.0.1","remote_port":"41342","client_ip":"127.0.0.1","proto":"HTTP/2.0","method":"GET","host":"localhost","uri":"/","headers":{"User-Agent":["curl/7.82.0"],"Accept":["*/*"],"Accept-Encoding":["gzip, deflate, br"]},"tls":{"resumed":false,"version":772,"cipher_suite":4865,"proto":"h2","server_name":"example.com"}},"bytes_read": 0,"user_id":"","duration":0.000929675,"size":10900,"status":200,"resp_headers":{"Server":["Caddy"],"Content-Encoding":["gzip"],"Content-Type":["text/html; charset=utf-8"],"Vary":["Accept-Encoding"]}}',
    expected: {
      at: 1646861401524,
      method: 'GET',
      target: '/',
      status: 200,
      address: '127.0.0.1',
      userAgent: 'curl/7.82.0',
      accept: '*/*',
      acceptLanguage: undefined,
      host: 'localhost',
      contentType: 'text/html; charset=utf-8',
    },
  },
  {
    source: 'fields of doc.traefik.io/traefik/observability/access-logs',
    format: 'json',
    line: '{"ClientAddr":"203.0.113.7:54321","ClientHost":"203.0.113.7","DownstreamStatus":200,"RequestHost":"docs.example.com","RequestMethod":"GET","RequestPath":"/guide?x=1","StartUTC":"2026-08-19T18:06:38.123456789Z","request_User-Agent":"curl/8","request_Referer":"https://a.example/"}',
    expected: {
      at: Date.UTC(2026, 7, 19, 18, 6, 38, 123),
      target: '/guide?x=1',
      address: '203.0.113.7',
      userAgent: 'curl/8',
      referrer: 'https://a.example/',
      host: 'docs.example.com',
    },
  },
  {
    source: 'nginx’s variables under their own names, as docs.wpvip.com/logs/http-request-edge has them',
    format: 'json',
    line: '{"time_iso8601":"2020-05-19T17:03:58+02:00","request_uri":"/","request_method":"GET","status":"200","remote_addr":"127.0.0.1","http_referer":"","http_user_agent":"Mozilla/5.0","http_host":"example.com","http_accept":"text/html","http_accept_language":"-"}',
    expected: {
      at: Date.UTC(2020, 4, 19, 15, 3, 58),
      status: 200,
      referrer: null,
      accept: 'text/html',
      acceptLanguage: null,
      host: 'example.com',
    },
  },
  {
    source: 'nginx with the log_format of docs/analytics.md',
    format: 'json',
    line: '{"time":"2026-11-15T10:02:43+00:00","ip":"2001:db8::1","host":"docs.example.com","method":"GET","path":"/guide?x=1","status":200,"contentType":"text/html","userAgent":"bad \\"quote\\\\ é","accept":"*/*","acceptLanguage":"","purpose":"prefetch","referrer":""}',
    expected: {
      at: Date.UTC(2026, 10, 15, 10, 2, 43),
      address: '2001:db8::1',
      host: 'docs.example.com',
      target: '/guide?x=1',
      contentType: 'text/html',
      userAgent: 'bad "quote\\ é',
      accept: '*/*',
      acceptLanguage: null,
      purpose: 'prefetch',
      referrer: null,
    },
  },
  {
    source: 'nginx with "$request" and $msec',
    format: 'json',
    line: '{"msec":"1700000000.123","request":"GET /a?b HTTP/1.1","status":200,"remote_addr":"192.0.2.1"}',
    expected: { at: 1700000000123, method: 'GET', target: '/a?b', userAgent: null },
  },
  {
    source: 'developers.cloudflare.com/logs/logpush: http_requests, RFC 3339',
    format: 'cloudflare',
    line: '{"ClientIP":"203.0.113.9","ClientRequestHost":"mirio.dev","ClientRequestMethod":"GET","ClientRequestReferer":"","ClientRequestSource":"eyeball","ClientRequestURI":"/","ClientRequestUserAgent":"Better Uptime Bot","EdgeEndTimestamp":"2024-12-04T00:36:43Z","EdgeResponseContentType":"text/html; charset=utf-8","EdgeResponseStatus":200,"EdgeStartTimestamp":"2024-12-04T00:36:43Z"}',
    expected: {
      at: Date.UTC(2024, 11, 4, 0, 36, 43),
      target: '/',
      address: '203.0.113.9',
      userAgent: 'Better Uptime Bot',
      referrer: null,
      host: 'mirio.dev',
    },
  },
  {
    source: 'the same with times in nanoseconds, and headers logged as custom fields',
    format: 'cloudflare',
    line: '{"ClientIP":"89.163.242.206","ClientRequestMethod":"GET","ClientRequestURI":"/a","EdgeResponseStatus":200,"EdgeStartTimestamp":1506702504433000200,"RequestHeaders":{"accept":"text/markdown"}}',
    expected: { at: 1506702504433, accept: 'text/markdown' },
  },
  {
    source: 'the same with times in seconds',
    format: 'cloudflare',
    line: '{"ClientIP":"89.163.242.206","ClientRequestMethod":"GET","ClientRequestURI":"/a","EdgeResponseStatus":200,"EdgeStartTimestamp":1506702504}',
    expected: { at: 1506702504000 },
  },
]

describe('formats', () => {
  test.each(samples)('reads a line of $format: $source', ({ format, line, expected }) => {
    expect(parseAs(format, line)).toMatchObject(expected)
    expect(detectFormat([line], noFields).name).toBe(format)
  })

  test('what a JSON log calls its fields can be said', () => {
    const fields = new Map<FieldName, string>([
      ['path', 'http.path'],
      ['ip', 'client'],
      ['time', 'at'],
      ['status', 'http.code'],
    ])
    const line = '{"at":1700000000,"client":"192.0.2.1","http.path":"/dotted","http":{"path":"/nested","code":200}}'
    expect(parseAs('json', line, fields)).toMatchObject({ target: '/dotted', address: '192.0.2.1', status: 200 })
  })

  test('a worker’s own requests at Cloudflare are not of a visitor', () => {
    const line = samples.at(-3)!.line.replace('eyeball', 'edgeWorkerFetch')
    expect(parseAs('cloudflare', line)).toBe('comment')
  })

  test('the columns of CloudFront are those that its header names', () => {
    const parse = logFormats.cloudfront.open({ fields: noFields })
    expect(parse('#Version: 1.0')).toBe('comment')
    expect(parse('#Fields: c-ip time date sc-status cs-method cs-uri-stem')).toBe('comment')
    const entry = parse('192.0.2.1\t01:02:03\t2026-01-31\t200\tGET\t/a')
    expect(entry).toMatchObject({ address: '192.0.2.1', at: Date.UTC(2026, 0, 31, 1, 2, 3), target: '/a' })
  })

  test.each([
    '',
    'hello',
    '{}',
    '{"status":200}',
    '[1]',
    'null',
    '192.0.2.1 - - [30/Feb/2026:08:00:00 +0000] "GET /a HTTP/1.1" 200 5',
    '192.0.2.1 - - [15/Nov/2026:25:00:00 +0000] "GET /a HTTP/1.1" 200 5',
    '192.0.2.1 - - [15/Nov/2026:08:00:00 +0000] "GET /a HTTP/1.1" two 5',
    '192.0.2.1 - - [15/Nov/2026:08:00:00 +0000] "GET /a HTTP/1.1',
    '{"ts":"yesterday","uri":"/","status":200}',
  ])('%j is a line of no format', (line) => {
    for (const format of Object.values(logFormats)) expect(format.open({ fields: noFields })(line)).toBeNull()
  })

  test('no line makes any of them throw', () => {
    const parsers = Object.values(logFormats).map((format) => format.open({ fields: noFields }))
    const pieces = fc.constantFrom('"', '\\', '[', '] "', ' ', '\t', '{', '}', '200', '\\x2', '%', '#Fields:', 'GET /')
    const line = fc
      .array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 30 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(line, fc.json()), (text) => {
        for (const parse of parsers) parse(text)
      }),
    )
  })

  test('an unknown format is refused with what was expected and found', () => {
    expect(() => detectFormat(['one two three', 'four'], noFields)).toThrow(
      /Expected one of: .*combined.*Found: "one two three"/,
    )
  })
})

/** Apache's and nginx's ways to write a text between quotes. */
const escapings = {
  apache: (text: string) => text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t'),
  nginx: (text: string) =>
    [...Buffer.from(text)]
      .map((byte) =>
        byte < 32 || byte > 126 || byte === 34 || byte === 92
          ? `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`
          : String.fromCharCode(byte),
      )
      .join(''),
}

test.each(Object.entries(escapings))(
  'what is written in the combined format as %s does is read back',
  (_, escapeText) => {
    const parse = logFormats.combined.open({ fields: noFields })
    const marks = fc.constantFrom('"', '\\', '\n', 'x', '22')
    const text = fc
      .array(fc.oneof(marks, fc.string({ unit: 'grapheme', maxLength: 10 })))
      .map((parts) => parts.join(''))
    const entry = fc.record({
      at: fc.integer({ min: 700_000_000, max: 4_000_000_000 }),
      zone: fc.integer({ min: -12, max: 14 }),
      address: fc.oneof(fc.ipV4(), fc.ipV6()),
      target: fc.webPath().map((path) => `/${path}`),
      status: fc.integer({ min: 100, max: 599 }),
      referrer: text,
      userAgent: text,
    })
    fc.assert(
      fc.property(entry, ({ at, zone, address, target, status, referrer, userAgent }) => {
        const local = new Date((at + zone * 3600) * 1000).toUTCString().split(' ')
        const offset = `${zone < 0 ? '-' : '+'}${String(Math.abs(zone)).padStart(2, '0')}00`
        const time = `${local[1]}/${local[2]}/${local[3]}:${local[4]} ${offset}`
        const line = `${address} - - [${time}] "GET ${target} HTTP/1.1" ${status} 5 "${escapeText(referrer)}" "${escapeText(userAgent)}"`
        expect(parse(line)).toMatchObject({
          at: at * 1000,
          address,
          target,
          status,
          referrer: presentOrNull(referrer),
          userAgent: presentOrNull(userAgent),
        })
      }),
    )
  },
)
