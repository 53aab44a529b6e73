import { type Finished, makeVariant } from './finished.ts'
import { chooseEncoding, hasAlready } from './negotiate.ts'
import type { ServeDeps } from './serve-deps.ts'
import type { SiteAnswer, SiteRequest } from './served-site.ts'

/** Sends what the client does not have yet, in an encoding that it takes. */
export async function answerFinished(
  { shelf }: Pick<ServeDeps, 'shelf'>,
  { headers }: SiteRequest,
  { key, finished, view }: { key: string; finished: Finished; view: string | null },
): Promise<SiteAnswer> {
  if (hasAlready(headers['if-none-match'], finished.etag)) {
    return { status: 304, headers: finished.headers, body: null, view }
  }
  const encoding = chooseEncoding(headers['accept-encoding'])
  let variant = finished.variants[encoding]
  if (variant === undefined) {
    variant = await makeVariant(finished, encoding)
    shelf.weigh(key)
  }
  return { status: 200, headers: variant.headers, body: variant.bytes, view }
}
