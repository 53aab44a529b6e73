type Headers = Record<string, string | string[] | undefined>

// Chromium and Firefox send Sec-Purpose; Purpose, X-Purpose and X-Moz are what browsers sent before, and some still do.
const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

/** Whether a browser fetches a page that nobody has opened yet. Names of headers in lower case. */
export function isPrefetch(headers: Headers): boolean {
  return purposeHeaders.some((name) => {
    const value = headers[name]
    if (value === undefined) return false
    const text = (Array.isArray(value) ? value.join(',') : value).slice(0, 200)
    return /\b(prefetch|prerender|preview)\b/i.test(text)
  })
}
