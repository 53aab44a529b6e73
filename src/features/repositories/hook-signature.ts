import { createHmac, timingSafeEqual } from 'node:crypto'

type Headers = Record<string, string | string[] | undefined>

/** What a secret is, so that it serves as GitHub's and GitLab's secret and as a key of Standard Webhooks alike. */
export const secretPrefix = 'whsec_'

// Standard Webhooks leaves it to the receiver; its libraries take five minutes.
const mostAgeSeconds = 300

/** GitHub: HMAC-SHA-256 of the very bytes that were sent, in hex. */
export function isSignedByGithub({
  headers,
  body,
  secret,
}: {
  headers: Headers
  body: Buffer
  secret: string
}): boolean {
  const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  return isSame(textOf(headers['x-hub-signature-256']), expected)
}

/** GitLab: the secret itself in a header, or a signature as Standard Webhooks has it where a signing token is set. */
export function isSignedByGitlab({
  headers,
  body,
  secret,
  now,
}: {
  headers: Headers
  body: Buffer
  secret: string
  now: Date
}): boolean {
  const signatures = textOf(headers['webhook-signature'])
  // A signature that is wrong is not made up for by a secret that anybody on the way could have read.
  if (signatures === '') return isSame(textOf(headers['x-gitlab-token']), secret)
  const [id, timestamp] = [textOf(headers['webhook-id']), textOf(headers['webhook-timestamp'])]
  const isFresh = /^\d{1,12}$/.test(timestamp) && Math.abs(now.getTime() / 1000 - Number(timestamp)) <= mostAgeSeconds
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  return signatures.split(' ').some((signature) => isSame(signature, `v1,${digest}`)) && isFresh
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : ''
}

/** In a time that depends on the length of what was sent alone. */
function isSame(presented: string, expected: string): boolean {
  const [one, other] = [presented, expected].map((text) => createHmac('sha256', 'compare').update(text).digest())
  return timingSafeEqual(one!, other!)
}
