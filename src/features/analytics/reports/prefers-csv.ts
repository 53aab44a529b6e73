/** How much a caller wants a media type: its weight, and how precisely it was named. */
interface Preference {
  quality: number
  /** 3 for `text/csv`, 2 for `text/*`, 1 for `*\/*`, 0 for not at all. */
  precision: number
}

/**
 * Whether an `Accept` header (RFC 9110) asks for CSV rather than JSON. Where it wants both alike, the one that it names
 * more precisely; else JSON, which also answers those who accept neither.
 */
export function prefersCsv(accept: string | undefined): boolean {
  const ranges = (accept ?? '*/*').split(',').map(parseRange)
  const [csv, json] = [preferenceFor('text/csv', ranges), preferenceFor('application/json', ranges)]
  if (csv.quality !== json.quality) return csv.quality > json.quality
  return csv.quality > 0 && csv.precision > json.precision
}

function parseRange(text: string): { name: string; quality: number } {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '') ?? '1'
  return { name, quality: /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0 }
}

/** The most precise range that a type is in decides, so that `text/csv;q=0, *\/*` is no wish for CSV. */
function preferenceFor(type: string, ranges: { name: string; quality: number }[]): Preference {
  const names = ['*/*', `${type.split('/')[0]}/*`, type]
  let found: Preference = { quality: 0, precision: 0 }
  for (const { name, quality } of ranges) {
    const precision = names.indexOf(name) + 1
    if (precision > found.precision || (precision === found.precision && precision > 0 && quality > found.quality)) {
      found = { quality, precision }
    }
  }
  return found
}
