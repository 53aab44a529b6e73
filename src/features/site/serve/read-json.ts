/** The JSON of a request's body; undefined when it is none. */
export function readJson(body: unknown): unknown {
  if (!Buffer.isBuffer(body)) return undefined
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
