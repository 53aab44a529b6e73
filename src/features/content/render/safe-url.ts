export type UrlUse = 'link' | 'image' | 'media'

// Whatever else a browser knows may run something (javascript:), or be a page of its own (data:). Editors ask before they act.
const linkSchemes = new Set(['http', 'https', 'mailto', 'tel', 'sms', 'cursor', 'vscode', 'vscode-insiders'])
const webSchemes = new Set(['http', 'https'])
const imageData = /^data:image\/(?:png|jpe?g|gif|webp|avif|svg\+xml)[;,]/i

/**
 * What becomes of an address: `fixed` stays as it is here, `ours` leads somewhere inside the site and is resolved there.
 * Null for one that must not be written.
 */
export function readUrl(written: string, use: UrlUse): { kind: 'fixed' | 'ours'; url: string } | null {
  // Browsers pass over these, so that a scheme can be hidden between them.
  const url = written.replace(/\p{Cc}/gu, '').trim()
  if (url === '') return null
  if (url.startsWith('#')) return { kind: 'fixed', url }
  if (/^[/\\]{2}/.test(url)) return { kind: 'fixed', url: `https://${url.replace(/^[/\\]+/, '')}` }
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(url)?.[1]?.toLowerCase()
  if (scheme === undefined) return { kind: 'ours', url }
  if (use === 'image' && imageData.test(url)) return { kind: 'fixed', url }
  return (use === 'link' ? linkSchemes : webSchemes).has(scheme) ? { kind: 'fixed', url } : null
}

export function isExternal(url: string): boolean {
  return /^https?:/i.test(url)
}
