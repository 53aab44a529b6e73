// A seeded access log of a documentation site in nginx's combined format, as imports are measured on.
// Run alone: node_modules/.bin/node bench/access-log.ts <file> <lines> [seed]
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

export interface AccessLogOptions {
  file: string
  lines: number
  seed: number
}

const start = Date.UTC(2026, 0, 1)
const spanMs = 30 * 86_400_000
const pages = 3_000
// A visitor reads a few pages, each of which brings about as many assets, and comes back on some days.
const linesPerVisitor = 12

const browsers = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
]
const machines = [
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'claude-code/2.0.14',
  'curl/8.5.0',
]
const referrers = ['-', '-', '-', 'https://www.google.com/', 'https://docs.example.com/', 'https://github.com/']
const words = ['api', 'guide', 'install', 'reference', 'auth', 'webhooks', 'errors', 'cli', 'deploy', 'sdk', 'limits']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Writes the log, oldest line first: about half of its lines are views, the rest assets, errors and other methods. */
export async function writeAccessLog({ file, lines, seed }: AccessLogOptions): Promise<void> {
  const random = randomFrom(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const paths = Array.from({ length: pages }, (_, at) => `/${pick(words)}/${pick(words)}-${at}`)
  // A few pages are read by nearly everybody, most by few.
  const page = () => paths[Math.floor(pages ** random()) - 1]!
  const visitors = Array.from({ length: Math.ceil(lines / linesPerVisitor) }, () => {
    const octets = [1 + Math.floor(random() * 222), ...Array.from({ length: 3 }, () => Math.floor(random() * 256))]
    return { address: octets.join('.'), agent: random() < 0.8 ? pick(browsers) : pick(machines) }
  })
  const out = createWriteStream(file)
  let text = ''
  for (let line = 0; line < lines; line++) {
    const at = start + (line / lines) * spanMs
    // Who is about now: a window that moves over the visitors, and one in five is a regular.
    const about = random() < 0.2 ? random() * 0.05 : line / lines + (random() - 0.5) * 0.1
    const index = Math.floor(Math.min(Math.max(about, 0), 0.999_999) * visitors.length)
    const { address, agent } = visitors[index]!
    const [request, status, bytes] = requestOf(random(), page(), random)
    const when = timeOf(at)
    text += `${address} - - [${when}] "${request}" ${status} ${bytes} "${pick(referrers)}" "${agent}"\n`
    if (text.length > 1_000_000) {
      if (!out.write(text)) await once(out, 'drain')
      text = ''
    }
  }
  out.end(text)
  await once(out, 'close')
}

function requestOf(kind: number, page: string, random: () => number): [string, number, number] {
  const bytes = 500 + Math.floor(random() * 40_000)
  if (kind < 0.46) return [`GET ${page} HTTP/2.0`, 200, bytes]
  if (kind < 0.49) return [`GET ${page}.md HTTP/1.1`, 200, bytes]
  if (kind < 0.51) return [`GET ${page}/?utm_source=newsletter&utm_campaign=${bytes} HTTP/2.0`, 200, bytes]
  if (kind < 0.53) return [`GET ${page} HTTP/2.0`, 304, 0]
  if (kind < 0.73) return [`GET /assets/app-${bytes % 40}.js HTTP/2.0`, 200, bytes]
  if (kind < 0.83) return [`GET /assets/theme-${bytes % 9}.css HTTP/2.0`, 200, bytes]
  if (kind < 0.93) return [`GET /images/${page.slice(1).replace('/', '-')}.png HTTP/2.0`, 200, bytes]
  if (kind < 0.96) return [`GET /wp-login.php?x=${bytes} HTTP/1.1`, 404, 153]
  if (kind < 0.98) return [`GET ${page}/ HTTP/2.0`, 301, 169]
  return [kind < 0.99 ? `HEAD ${page} HTTP/1.1` : 'POST /api/search HTTP/2.0', 200, 0]
}

function timeOf(at: number): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${two(date.getUTCDate())}/${months[date.getUTCMonth()]}/${date.getUTCFullYear()}`
  return `${day}:${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} +0000`
}

/** Mulberry32: the same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

if (import.meta.main) {
  const [file, lines = '1000000', seed = '1'] = process.argv.slice(2)
  if (file === undefined) throw new Error('Expected a file to write.')
  await writeAccessLog({ file, lines: Number(lines), seed: Number(seed) })
}
