import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { codeStylesheet, mathStylesheet } from '#features/content/service.ts'
import { readFonts } from './fonts.ts'
import { withoutComments, withoutSpace } from './minify.ts'

/** A file that readers' browsers get from us. Its name has its hash in it, so it can be kept for ever. */
export interface SiteAsset {
  type: string
  bytes: Buffer
  /** Null for what is compressed already. */
  gzipped: Buffer | null
  brotli: Buffer | null
  etag: string
}

const styles = ['base', 'layout', 'navigation', 'page', 'prose', 'code', 'components', 'api', 'utilities', 'search']
const scripts = ['start', 'menus', 'contents', 'code', 'tabs', 'search', 'feedback', 'mermaid']
const script = 'text/javascript; charset=utf-8'

interface Source {
  type: string
  read(): Buffer | Promise<Buffer>
}

interface Catalogue {
  names: Record<'css' | 'js' | 'boot' | 'favicon' | 'mermaid' | 'font', string>
  sources: ReadonlyMap<string, Source>
}

function readCatalogue(): Catalogue {
  const require = createRequire(import.meta.url)
  const fonts = readFonts()
  const sheets = [fonts.rules, ...styles.map((name) => own(`css/${name}.css`)), codeStylesheet, mathStylesheet]
  const css = Buffer.from(withoutSpace(sheets.join('\n')))
  const parts = scripts.map((name) => withoutComments(own(`js/${name}.js`)))
  const js = Buffer.from(`(() => {\n${parts.join('')}})()\n`)
  const boot = Buffer.from(withoutComments(own('js/boot.js')))
  const favicon = Buffer.from(own('favicon.svg'))
  const mermaid = require('@mermaid-js/tiny/package.json') as { version: string }
  const names = {
    css: `site.${digest(css)}.css`,
    js: `site.${digest(js)}.js`,
    boot: `boot.${digest(boot)}.js`,
    favicon: `favicon.${digest(favicon)}.svg`,
    // Millions of bytes that few sites need: not read to learn its name.
    mermaid: `mermaid.${digest(mermaid.version)}.js`,
    font: fonts.main,
  }
  const sources = new Map<string, Source>([
    [names.css, { type: 'text/css; charset=utf-8', read: () => css }],
    [names.js, { type: script, read: () => js }],
    [names.boot, { type: script, read: () => boot }],
    [names.favicon, { type: 'image/svg+xml', read: () => favicon }],
    [names.mermaid, { type: script, read: () => readFile(require.resolve('@mermaid-js/tiny')) }],
  ])
  for (const [name, path] of fonts.files) sources.set(name, { type: 'font/woff2', read: () => readFile(path) })
  return { names, sources }
}

let catalogue: Catalogue | null = null
const loaded = new Map<string, Promise<SiteAsset>>()

function opened(): Catalogue {
  catalogue ??= readCatalogue()
  return catalogue
}

/** What is the same for every site, by name under `/_docent/`. Each is read and compressed when it is first asked for. */
export const siteAssets = {
  get names(): Catalogue['names'] {
    return opened().names
  },
  async get(name: string): Promise<SiteAsset | null> {
    const source = opened().sources.get(name)
    if (source === undefined) return null
    let asset = loaded.get(name)
    if (asset === undefined) {
      asset = load(source)
      loaded.set(name, asset)
      asset.catch(() => loaded.delete(name))
    }
    return await asset
  },
}

async function load({ type, read }: Source): Promise<SiteAsset> {
  const bytes = await read()
  const etag = `"${digest(bytes)}"`
  if (type.startsWith('font/')) return { type, bytes, gzipped: null, brotli: null, etag }
  // The highest levels take seconds for the largest file.
  const quality = bytes.length > 500_000 ? 6 : 11
  const [gzipped, brotli] = await Promise.all([
    promisify(gzip)(bytes, { level: 9 }),
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
  ])
  return { type, bytes, gzipped, brotli, etag }
}

function own(name: string): string {
  return readFileSync(join(import.meta.dirname, name), 'utf8')
}

function digest(content: Buffer | string): string {
  return hash('sha256', content).slice(0, 12)
}
