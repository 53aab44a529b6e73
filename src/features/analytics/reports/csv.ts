/** A spreadsheet takes a cell that starts with one of these for a formula, and runs it. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/

/** RFC 4180: a line of names, then the rows, each ended by CRLF. */
export function toCsv(names: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [names, ...rows].map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')
}

/** Text that would be a formula gets a leading apostrophe, which spreadsheets do not show. */
function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = formulaStart.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
