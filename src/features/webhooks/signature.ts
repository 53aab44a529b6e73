import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { SecretBox } from '#infra/data/secret-box.ts'

// So long after a new secret was made, requests are signed with the old one too: receivers change over without a gap.
const overlapMs = 24 * 3_600_000

interface SigningSecret {
  secret: string
  /** When it stops being used; null for the current one. */
  until: string | null
}

/** The secrets of one webhook, sealed for the database. */
interface Sealed {
  webhookId: string
  sealedSecret: string
}

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Seals the secret, and with it the one that it takes the place of. */
export function sealSecret(
  secretBox: SecretBox,
  { webhookId, secret, replaces, now }: { webhookId: string; secret: string; replaces?: string; now: Date },
): string {
  const secrets: SigningSecret[] = [{ secret, until: null }]
  if (replaces !== undefined) {
    const [current] = openSecrets(secretBox, { webhookId, sealedSecret: replaces })
    secrets.push({ secret: current!.secret, until: new Date(now.getTime() + overlapMs).toISOString() })
  }
  return secretBox.seal(JSON.stringify(secrets), contextOf(webhookId))
}

/** The headers of Standard Webhooks. The id stays the same at every attempt, so that receivers see what they have had. */
export function signatureHeaders(
  secretBox: SecretBox,
  { id, body, now, ...sealed }: Sealed & { id: string; body: string; now: Date },
): Record<string, string> {
  const valid = openSecrets(secretBox, sealed).filter(({ until }) => until === null || new Date(until) > now)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': valid.map(({ secret }) => new Webhook(secret).sign(id, now, body)).join(' '),
  }
}

function openSecrets(secretBox: SecretBox, { webhookId, sealedSecret }: Sealed): SigningSecret[] {
  return JSON.parse(secretBox.open(sealedSecret, contextOf(webhookId)))
}

function contextOf(webhookId: string): string {
  return `webhooks.secret ${webhookId}`
}
