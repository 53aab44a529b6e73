import type { IncomingHttpHeaders } from 'node:http'

export const sessionCookie = 'docent_session'

/** The value of the session's cookie as the browser sent it, or null. Of several, the first, as better-auth reads it. */
export function readSessionCookie({ cookie = '' }: IncomingHttpHeaders): string | null {
  for (const part of cookie.split(';')) {
    const [name, value] = part.trim().split(/=(.*)/s)
    if (name === sessionCookie) return value || null
  }
  return null
}

/** What makes a browser forget it. */
export function forgetSessionCookie({ baseUrl }: { baseUrl: string }): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${sessionCookie}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${secure}`
}
