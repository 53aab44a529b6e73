import { DocentError, messageOf, toDocentError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { oneLine } from '#base/one-line.ts'
import { parseRetryAfter } from '#base/retry-after.ts'
import { recordAudit, systemCaller } from '#features/accounts/service.ts'
import type { Tx } from '#infra/db/schema.ts'
import type { OutboundAnswer } from '#infra/http-client/outbound-client.ts'
import { deliverWebhook, retryDelaysSeconds } from './jobs.ts'
import type { WebhooksDeps } from './service.ts'
import { signatureHeaders } from './signature.ts'
import * as store from './store.ts'

export type DeliveryDeps = Pick<WebhooksDeps, 'db' | 'clock' | 'queue' | 'secretBox' | 'outbound'> & { log: Log }

const timeoutMs = 15_000
const mostQuoted = 500
// A receiver may ask for more time than we would have left it, but not for ever.
const longestWaitSeconds = 24 * 3600

/** How an attempt ended. */
interface Outcome {
  delivered: boolean
  responseStatus: number | null
  error: string | null
  /** False where another attempt could not end better. */
  retry: boolean
  retryAfterSeconds: number
  /** The receiver wants nothing any more. */
  gone: boolean
}

/**
 * Makes one attempt, writes down how it ended, and sends the job for the next one, the last two in one transaction. At
 * least once: a process that is killed after the request and before the record leaves the request to be sent again, with
 * the same id.
 */
export async function deliver(
  deps: DeliveryDeps,
  job: { deliveryId: string; attempt: number; retriesLeft: number; signal: AbortSignal },
): Promise<void> {
  const { deliveryId, attempt, retriesLeft, signal } = job
  const attempts = attempt - 1
  const delivery = await store.findSendable(deps.db, deliveryId)
  // Deleted with its webhook; delivered by another; or retried by hand, and ahead of this job.
  if (delivery?.state !== 'pending' || delivery.attempts !== attempts) return
  if (!delivery.enabled) {
    const change = { state: 'failed', error: 'The webhook is disabled.' }
    await deps.db.transaction().execute((tx) => store.updatePending(tx, { id: deliveryId, attempts, change }))
    return
  }
  const startedAt = deps.clock.now()
  const outcome = await send(deps, delivery, { now: startedAt, signal })
  const again = outcome.retry && retriesLeft > 0
  const state = outcome.delivered ? 'delivered' : again ? 'pending' : 'failed'
  const { responseStatus, error } = outcome

  const isOurs = await deps.db.transaction().execute(async (tx) => {
    const change = { state, attempts: attempt, responseStatus, error, lastAttemptAt: startedAt }
    // The webhook before its delivery, as everywhere: two that lock them the other way round would wait for each other.
    if (outcome.gone) await disable(tx, delivery)
    if (!(await store.updatePending(tx, { id: deliveryId, attempts, change }))) return false
    if (again) {
      const delaySeconds = Math.max(
        retryDelaysSeconds.at(-retriesLeft) ?? retryDelaysSeconds[0]!,
        Math.min(outcome.retryAfterSeconds, longestWaitSeconds),
      )
      const next = { deliveryId, attempt: attempt + 1, retriesLeft: retriesLeft - 1 }
      // After the first attempts of others: whoever does not answer holds up nobody but themselves for long.
      await deps.queue.send(deliverWebhook, next, { tx, delaySeconds, priority: -attempt })
    }
    return true
  })
  if (isOurs) deps.log.info({ deliveryId, event: delivery.event, attempt, state, responseStatus }, 'webhooks.attempt')
}

async function send(
  { secretBox, outbound }: Pick<DeliveryDeps, 'secretBox' | 'outbound'>,
  { id, endpointId: webhookId, url, body, sealedSecret }: store.Sendable,
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<Outcome> {
  try {
    const headers = {
      'content-type': 'application/json',
      ...signatureHeaders(secretBox, { id, body, webhookId, sealedSecret, now }),
    }
    const answer = await outbound.post({ url: new URL(url), headers, body, timeoutMs, signal })
    return judge(answer, now)
  } catch (thrown) {
    // This worker does not hold the job any more; what it would write down is for another to say.
    if (signal.aborted) throw new DocentError('unavailable', 'webhook.interrupted', 'The attempt was interrupted.')
    // Our own secret does not open, or the address is private: neither changes by waiting.
    const retry = toDocentError(thrown).kind === 'unavailable'
    const error = oneLine(messageOf(thrown), mostQuoted)
    return { delivered: false, responseStatus: null, error, retry, retryAfterSeconds: 0, gone: false }
  }
}

function judge({ status, location, retryAfter, text }: OutboundAnswer, now: Date): Outcome {
  const answered = { responseStatus: status, retryAfterSeconds: parseRetryAfter(retryAfter, now) ?? 0, gone: false }
  if (status >= 200 && status < 300) return { ...answered, delivered: true, error: null, retry: false }
  const failed = { ...answered, delivered: false, retry: true }
  if (status >= 300 && status < 400) {
    const where = location === null ? '' : ` to ${oneLine(location, mostQuoted)}`
    const error = `Answered ${status}, a redirect${where}. Redirects are not followed: change the webhook’s URL.`
    return { ...failed, error }
  }
  const said = oneLine(text, mostQuoted)
  const error = said === '' ? `Answered ${status}.` : `Answered ${status}: ${said}`
  if (status !== 410) return { ...failed, error }
  return { ...failed, error: `${error} The webhook is disabled now.`, retry: false, gone: true }
}

async function disable(tx: Tx, { endpointId, organizationId, id }: store.Sendable): Promise<void> {
  if (!(await store.disableEndpoint(tx, endpointId))) return
  const details = { reason: 'answered 410', deliveryId: id }
  await recordAudit(tx, { by: systemCaller(organizationId), action: 'webhook.disable', target: endpointId, details })
}
