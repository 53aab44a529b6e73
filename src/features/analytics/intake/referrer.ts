const mostCharacters = 500
/** As it is kept already: nothing to parse, as with most. */
const plainReferrer = /^https?:\/\/[a-z0-9.-]+\/[\w./-]*$/

/** Where a reader came from, without what may tell who it was: origin and path of an http(s) URL, else null. */
export function cleanReferrer(raw: string | null): string | null {
  if (raw === null || raw === '') return null
  if (raw.length <= mostCharacters && plainReferrer.test(raw)) return raw
  if (raw.length > 16 * mostCharacters || !/^https?:\/\//i.test(raw) || !URL.canParse(raw)) return null
  const { origin, pathname } = new URL(raw)
  if (origin.length + pathname.length <= mostCharacters) return origin + pathname
  return origin.length < mostCharacters ? `${origin}/` : null
}
