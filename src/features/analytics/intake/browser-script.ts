import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

export interface BrowserScript {
  plain: Buffer
  gzipped: Buffer
  etag: string
}

/** The script as it is served: without comments and indentation. */
export function loadBrowserScript(): BrowserScript {
  const source = readFileSync(join(import.meta.dirname, 'browser-script.js'), 'utf8')
  const plain = Buffer.from(source.replace(/^[ \t]*(?:\/\/.*)?(?:\n|$)|^[ \t]+/gm, ''))
  return { plain, gzipped: gzipSync(plain, { level: 9 }), etag: `"${hash('sha256', plain).slice(0, 32)}"` }
}
