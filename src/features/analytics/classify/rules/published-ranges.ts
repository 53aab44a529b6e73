import { rangeSources } from '../ranges/range-sources.ts'
import type { Rule } from './rule.ts'

const anonymous = rangeSources.filter((source) => source.anonymous !== null)

/** Who gives no name of its own, but comes from where only one client comes from. */
export const publishedRanges: Rule = {
  name: 'published address ranges',
  ask({ address, lists, published }) {
    if (address === null) return 'the address is not known'
    if (published.ranges.names.length === 0) return 'there are no lists: docent analytics ranges update'
    if (lists === 0) return 'the address is on no list'
    for (const source of anonymous) {
      const place = published.ranges.names.indexOf(source.name)
      if (place === -1 || !(lists & (1 << place))) continue
      const { client, category } = source.anonymous!
      return {
        category,
        client,
        reason: `address of ${client}, published by ${source.operator}`,
        verification: 'verified',
      }
    }
    return 'the address is on a list of services that people use too'
  },
}
