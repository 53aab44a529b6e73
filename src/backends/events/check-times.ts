import { DocentError } from '#base/errors.ts'
import { timeBounds } from './view.ts'

/** Throws `invalid` for a time that no store can keep: a view of then would be in the way of all others. */
export function checkTimes(times: ArrayLike<number>): void {
  for (let place = 0; place < times.length; place++) {
    const at = times[place]!
    if (Number.isInteger(at) && at >= timeBounds.from && at < timeBounds.to) continue
    const message = `Expected times of views from 1970-01-02 to 2149-06-06 in whole milliseconds, found ${at}.`
    throw new DocentError('invalid', 'analytics.time_out_of_range', message)
  }
}
