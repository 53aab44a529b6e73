import type { EditionPage } from '../edition/edition.ts'

/** The method of the operation that a page describes, upper case; null for other pages. */
export function methodOf({ source, index: { fields } }: EditionPage): string | null {
  if (source.kind === 'operation') return source.method.toUpperCase()
  const written = fields.openapi ?? fields.api
  if (written === null) return null
  return /(?:^|\s)(get|post|put|patch|delete|head|options|trace|webhook)\s/i.exec(written)?.[1]?.toUpperCase() ?? null
}
