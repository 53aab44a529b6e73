// Whatever else a browser knows may run something (javascript:), or be a page of its own (data:).
const safeSchemes = new Set(['http', 'https', 'mailto', 'tel', 'sms'])
const domain = /^[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}(?::\d+)?(?:[/?#]|$)/i

/**
 * The address as it can stand in a link, or null when it is none that a reader may be sent to. What is written without
 * scheme and slash is another site (`example.com/x`) or a page (`guides/setup`).
 */
export function safeAddress(written: string): string | null {
  // Browsers pass over these, so that a scheme can be hidden between them.
  const text = written.replace(/\p{Cc}/gu, '').trim()
  if (text === '') return null
  if (/^[/#?.]/.test(text)) return text.replace(/^[/\\]*\\[/\\]*/, '/')
  if (domain.test(text) && !isFileName(text)) return `https://${text}`
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(text)?.[1]?.toLowerCase()
  if (scheme !== undefined) return safeSchemes.has(scheme) ? text : null
  return `/${text.replace(/^[\\/]+/, '')}`
}

/** `logo.svg` and `guide.md` look like domains, and are none. */
function isFileName(text: string): boolean {
  return /^[^/?#:]+\.(?:mdx?|json|ya?ml|svg|png|jpe?g|gif|webp|avif|ico|pdf|txt|zip|csv|html?|woff2?|ttf|otf)(?:[?#]|$)/i.test(
    text,
  )
}

/** An image of the repository or of another site, as written; null when it is none that may be shown. */
export function safeImage(written: string): string | null {
  const text = written.trim()
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(text)?.[1]?.toLowerCase()
  const isSafe = text !== '' && !/[\p{Cc}\\]/u.test(text) && (scheme === undefined || /^https?$/.test(scheme))
  return isSafe ? text : null
}
