import type { Edition } from '../edition/edition.ts'
import { ownFolder, type ServedSite } from '../serve/served-site.ts'
import { markdownRoute, pathTo } from '../serve/site-address.ts'
import { createLinkWriter, type LinkWriter } from '../serve/site-links.ts'

/** The part of a site that addresses are made from. */
export type AddressedSite = Pick<ServedSite, 'base' | 'edition'>

/** The address of a route, as a page of the site writes it. */
export function routeAddress(site: Pick<ServedSite, 'base'>, route: string): string {
  return pathTo(site, route)
}

export function markdownAddress(site: Pick<ServedSite, 'base'>, route: string): string {
  return pathTo(site, markdownRoute(route))
}

/** Of what Docent itself serves inside the site. */
export function ownAddress({ base }: Pick<ServedSite, 'base'>, name: string): string {
  return `${base}${ownFolder}/${name}`
}

const writers = new WeakMap<Edition, { base: string; write: LinkWriter }>()

/** Where an address of docs.json leads on this site; null for one that leads nowhere, or would run something. */
export function linkAddress(site: AddressedSite, url: string): string | null {
  let writer = writers.get(site.edition)
  if (writer?.base !== site.base) {
    writer = { base: site.base, write: createLinkWriter(site) }
    writers.set(site.edition, writer)
  }
  const address = writer.write(url, '')
  // One that only a page of its own could complete, such as `{url}`, means another place on every page.
  return /^(?:[a-z][a-z\d+.-]*:|\/|#.)/i.test(address) ? address : null
}

/** The address of a picture that is really there; of one on another site nobody knows. */
export function imageAddress(site: AddressedSite, url: string): string | null {
  const { kind } = site.edition.model.map.resolveLink('', url)
  return kind === 'asset' || kind === 'external' ? linkAddress(site, url) : null
}

/** Whether an address leads to another site. */
export function isElsewhere(address: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(address)
}
