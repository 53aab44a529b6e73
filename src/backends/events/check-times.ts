import { DocentError } from '#base/errors.ts'
import { timeBounds, type View } from './view.ts'

/** Throws `invalid` for a view whose time no store can keep: one such would be in the way of all others. */
export function checkTimes(views: readonly View[]): void {
  const wrong = views.find(({ at }) => !Number.isInteger(at) || at < timeBounds.from || at >= timeBounds.to)
  if (wrong === undefined) return
  const message = `Expected times of views from 1970-01-02 to 2149-06-06 in whole milliseconds, found ${wrong.at}.`
  throw new DocentError('invalid', 'analytics.time_out_of_range', message)
}
