import type { SiteAnswer } from './served-site.ts'

/** What a page may load and do: only what Docent itself serves, and pictures and media of others. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "img-src 'self' data: https:",
  "media-src 'self' https:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Diagrams bring styles of their own, which are made in the reader's page. */
export function pageSecurity({ needsMermaid }: { needsMermaid: boolean }): Record<string, string> {
  const styles = needsMermaid ? "'self' 'unsafe-inline'" : "'self'"
  return {
    ...everywhere,
    'content-security-policy': `${pagePolicy}; style-src ${styles}`,
    'cross-origin-opener-policy': 'same-origin',
  }
}

/** Files of a repository are anybody's: nothing in them may run, and nothing is taken for what it does not say it is. */
export const everywhere: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-frame-options': 'DENY',
}

/** For what is text and no page. */
export const textSecurity: Record<string, string> = {
  ...everywhere,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
}

export function answerText(status: number, contentType: string, body: string): SiteAnswer {
  return {
    status,
    headers: { ...textSecurity, 'content-type': contentType, 'cache-control': 'no-store' },
    body,
    view: null,
  }
}

export function answerJson(status: number, body: unknown, headers: Record<string, string> = {}): SiteAnswer {
  const answer = answerText(status, 'application/json; charset=utf-8', JSON.stringify(body))
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

export function answerNothing(status: number, headers: Record<string, string> = {}): SiteAnswer {
  return { status, headers: { ...everywhere, ...headers }, body: null, view: null }
}

/** An error in the shape that the API has. */
export function answerProblem(status: number, code: string, error: string, headers = {}): SiteAnswer {
  return answerJson(status, { error, code }, headers)
}

export function answerRedirect(status: 307 | 308, location: string): SiteAnswer {
  return answerNothing(status, { location, 'cache-control': 'no-cache' })
}
