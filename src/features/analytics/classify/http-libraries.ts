import { findListedLibrary } from './crawler-list.ts'

/**
 * What crawler-user-agents does not list, or only by some of its names. Most start the user agent; an app that puts its
 * own name first (`ExampleApp/1 CFNetwork/808.3`) is no more than its library either.
 */
const libraries: readonly { name: string; pattern: RegExp }[] = [
  // The whole user agent of Node's own fetch.
  { name: 'Node.js', pattern: /^node$|^Node\.js\b|^node\/|\bundici\b/i },
  { name: 'Bun', pattern: /^Bun\// },
  { name: 'Deno', pattern: /^Deno\// },
  { name: 'axios', pattern: /\baxios\// },
  { name: 'got', pattern: /^got(\/| \()/ },
  { name: 'superagent', pattern: /^node-superagent\// },
  { name: 'curl', pattern: /^(lib)?curl\b|\bpycurl\b/i },
  { name: 'Wget', pattern: /^Wget\d?\b/i },
  { name: 'python-requests', pattern: /^python-requests\b/i },
  { name: 'httpx', pattern: /^python-httpx\b/i },
  { name: 'aiohttp', pattern: /\baiohttp\// },
  { name: 'urllib', pattern: /^Python-urllib\b|^python-urllib3\b|^urllib3?\//i },
  { name: 'Go', pattern: /^Go-http-client\b|^Go \d.* package http/ },
  { name: 'resty', pattern: /^go-resty\b/ },
  { name: 'Java', pattern: /^Java(-http-client)?\/|^Apache-HttpClient\b|^Jakarta Commons-HttpClient\b/ },
  { name: 'okhttp', pattern: /^okhttp\b/ },
  { name: 'Dalvik', pattern: /\bDalvik\// },
  { name: 'CFNetwork', pattern: /\bCFNetwork\// },
  { name: 'reqwest', pattern: /^reqwest\b|^hyper\b|^ureq\// },
  { name: 'Ruby', pattern: /^Ruby$|^Faraday\b|^http\.rb\//i },
  { name: 'Guzzle', pattern: /^GuzzleHttp\b/ },
  { name: 'PHP', pattern: /^PHP\b/ },
  { name: 'libwww-perl', pattern: /^libwww-perl\b|^lwp-/i },
  { name: 'PowerShell', pattern: /\bWindowsPowerShell\/|\bPowerShell\// },
  { name: 'Postman', pattern: /^PostmanRuntime\// },
  { name: 'Insomnia', pattern: /^insomnia\//i },
  { name: 'HTTPie', pattern: /^HTTPie\// },
  { name: 'Dart', pattern: /^Dart\/.*dart:io/ },
]

/** The name of the HTTP library that a user agent is of, and of nobody who uses it. */
export function findLibrary(userAgent: string): string | null {
  const own = libraries.find(({ pattern }) => pattern.test(userAgent))
  return own?.name ?? findListedLibrary(userAgent)?.name ?? null
}
