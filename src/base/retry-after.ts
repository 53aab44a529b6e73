/** How many seconds a `Retry-After` header asks to wait: written as seconds or as a date; null for neither. */
export function parseRetryAfter(header: string | null | undefined, now: Date): number | null {
  const written = header?.trim() ?? ''
  // A fraction is no valid header, and some servers of models send one.
  if (/^\d{1,9}(\.\d+)?$/.test(written)) return Math.ceil(Number(written))
  // V8 reads nearly anything as a date, `-5` too; an HTTP date begins with the name of a day.
  const moment = /^[a-z]{3,}/i.test(written) ? Date.parse(written) : Number.NaN
  return Number.isNaN(moment) ? null : Math.max(0, Math.ceil((moment - now.getTime()) / 1000))
}
