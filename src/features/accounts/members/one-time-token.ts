import { createHash, randomBytes } from 'node:crypto'

/** What makes a link work, once: 256 random bits. Only its digest is kept. */
export function createOneTimeToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashToken(token) }
}

/** One round is enough for what nobody can guess, and looking the digest up leaks no timing. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** A page of the dashboard with a token behind `#`: browsers keep that part to themselves, so no log has it. */
export function linkTo({ baseUrl }: { baseUrl: string }, page: 'setup' | 'invitation' | 'password', token: string) {
  return `${baseUrl.replace(/\/+$/, '')}/app/${page}#token=${token}`
}
