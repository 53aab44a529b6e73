import { siteAssets } from '../browser/assets.ts'
import { themeName, themeStylesheet } from '../pages/theme-stylesheet.ts'
import { textSecurity } from './answers.ts'
import { finish } from './finished.ts'
import { chooseEncoding, hasAlready } from './negotiate.ts'
import type { ServeDeps } from './serve-deps.ts'
import type { ServedSite, SiteAnswer, SiteRequest } from './served-site.ts'

// The name changes with the content.
const forEver = 'public, max-age=31536000, immutable'

/** Scripts, styles and fonts of Docent's own, and the colours of the site: `name` is what follows `/_docent/`. */
export async function answerOwnFile(
  { shelf }: Pick<ServeDeps, 'shelf'>,
  site: ServedSite,
  { request, name }: { request: SiteRequest; name: string },
): Promise<SiteAnswer | null> {
  const { settings } = site.edition.model
  if (name === themeName(settings)) {
    const key = `theme ${name}`
    const headers = { ...ownHeaders, 'content-type': 'text/css; charset=utf-8' }
    const finished =
      shelf.find(key) ?? (await shelf.make(key, async () => finish(themeStylesheet(settings), { headers })))
    if (hasAlready(request.headers['if-none-match'], finished.etag)) return notModified(finished.headers)
    return { status: 200, headers: finished.headers, body: finished.body, view: null }
  }
  if (/^theme\.\w+\.css$/.test(name)) {
    // Of the edition before: somebody's page was still that one when this became live.
    const headers = { ...ownHeaders, 'content-type': 'text/css; charset=utf-8', 'cache-control': 'no-cache' }
    return { status: 200, headers, body: themeStylesheet(settings), view: null }
  }
  const asset = await siteAssets.get(name)
  if (asset === null) return null
  const headers: Record<string, string> = { ...ownHeaders, 'content-type': asset.type, etag: asset.etag }
  if (hasAlready(request.headers['if-none-match'], asset.etag)) return notModified(headers)
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  const encoded = encoding === 'br' ? asset.brotli : encoding === 'gzip' ? asset.gzipped : null
  if (encoded !== null) headers['content-encoding'] = encoding
  const body = encoded ?? asset.bytes
  return { status: 200, headers: { ...headers, 'content-length': String(body.length) }, body, view: null }
}

const ownHeaders: Record<string, string> = {
  ...textSecurity,
  'cache-control': forEver,
  'cross-origin-resource-policy': 'same-origin',
  vary: 'Accept-Encoding',
}

function notModified(headers: Record<string, string>): SiteAnswer {
  return { status: 304, headers, body: null, view: null }
}
