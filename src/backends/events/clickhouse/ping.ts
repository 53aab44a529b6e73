import { DocentError, messageOf } from '#base/errors.ts'
import { hideSecrets } from '#base/hide-secrets.ts'

/** Resolves when the ClickHouse server at this address answers; throws `unavailable` when it does not. */
export async function pingClickhouse(url: string): Promise<void> {
  const { origin, host } = new URL(url)
  try {
    const answer = await fetch(`${origin}/ping`, { signal: AbortSignal.timeout(5_000) })
    if (!answer.ok) throw new Error(`it answered ${answer.status}`)
  } catch (error) {
    const message = `ClickHouse at ${host} does not answer: ${hideSecrets(messageOf(error))}. Check DOCENT_CLICKHOUSE_URL and that the server runs.`
    throw new DocentError('unavailable', 'clickhouse.unreachable', message, { cause: error })
  }
}
