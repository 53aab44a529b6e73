import { DocentError } from '#base/errors.ts'
import type { ServedSite } from '../serve/served-site.ts'
import type { SiteDeps } from '../site-deps.ts'
import { isDomainName } from './domain-name.ts'
import { createLiveEditions, timeout } from './live-editions.ts'
import { createPreviewSites } from './preview-sites.ts'
import { publishSite } from './publish-site.ts'
import { servedSite } from './served-address.ts'
import * as store from './store.ts'

/** Finds the site that an address belongs to, and the edition that is live there at this moment. */
export interface LiveSites {
  /**
   * By the name in `/sites/{slug}`; null when there is none. The first reader of a project publishes it, and waits for
   * that. Throws `unavailable` `site.not_published` while that cannot be done.
   */
  findBySlug(slug: string): Promise<ServedSite | null>
  /** By a custom domain, lower case, without a port. */
  findByDomain(domain: string): Promise<ServedSite | null>
  /** What `findBySlug` gives, at once; null also where something would have to be asked for that. */
  findKnownBySlug(slug: string): ServedSite | null
  /** The same by a custom domain. */
  findKnownByDomain(domain: string): ServedSite | null
  /** Null when there is none, and for those who may not see it. Throws `unavailable` when too many are being made. */
  findPreview(input: FindPreview): Promise<ServedSite | null>
  /** Something of the project changed: what is remembered of it is looked up again. */
  forget(projectId: string): void
  close(): Promise<void>
}

export interface FindPreview {
  slug: string
  /** A branch with `~` for its slashes, or a commit; with `@` and a signature for those without a key. Decoded. */
  name: string
  /** Of the reader's key; null: without one. */
  organizationId: string | null
  /** A reader on this machine, who may see all; see `readableHere`. */
  isHere?: boolean
}

export type LiveSitesDeps = Pick<
  SiteDeps,
  'db' | 'clock' | 'queue' | 'secretBox' | 'fetch' | 'config' | 'log' | 'editions'
>

// Another node may have published: readers here follow within this time, at the cost of a query.
const lookEveryMs = 500
// After a time without readers there is nobody to be spared the wait, and what is here may be old.
const idleMs = 2_000
// A first edition takes long for a large repository; readers see a note after this.
const waitForFirstMs = 20_000
// What could not be published for its first reader is not tried for each of the next ones.
const tryFirstEveryMs = 15_000
// What nobody reads takes no memory after this; opening it again takes some milliseconds.
const releaseAfterMs = 10 * 60_000
// Names that nobody has are remembered as shortly, so that asking for many of them costs no more memory than this.
const mostRemembered = 5_000

/** What is known of one address. */
interface Address {
  found: store.LiveRow | null
  lookedAt: number
  looking: Promise<void> | null
  /** What was answered last: requests come more often than anything changes. */
  served: ServedSite | null
}

export function createLiveSites(deps: LiveSitesDeps): LiveSites {
  const { db, log } = deps
  const addresses = new Map<string, Address>()
  const first = new Map<string, { done: Promise<unknown>; at: number }>()
  const publishing = new Set<Promise<unknown>>()
  const liveEditions = createLiveEditions(deps)
  const previews = createPreviewSites(deps)
  const closed = new AbortController()
  const releasing = setInterval(() => {
    const time = performance.now() - releaseAfterMs
    for (const [key, { lookedAt }] of addresses) if (lookedAt < time) addresses.delete(key)
    liveEditions.releaseBefore(time)
  }, releaseAfterMs / 10).unref()

  const self: LiveSites = {
    async findBySlug(slug) {
      if (!/^[a-z0-9-]{1,80}$/.test(slug)) return null
      return await find(`slug ${slug}`, () => store.findLive(db, { slug }), `/sites/${slug}`)
    },
    async findByDomain(domain) {
      if (!isDomainName(domain)) return null
      return await find(`domain ${domain}`, () => store.findLive(db, { domain }), null, domain)
    },
    findKnownBySlug: (slug) => findKnown(`slug ${slug}`),
    findKnownByDomain: (domain) => findKnown(`domain ${domain}`),
    async findPreview(input) {
      if (!/^[a-z0-9-]{1,80}$/.test(input.slug)) return null
      const key = `slug ${input.slug}`
      const address = await look(key, () => store.findLive(db, { slug: input.slug }))
      return address.found ? await previews.find({ ...input, project: address.found }) : null
    },
    forget(projectId) {
      for (const [key, { found }] of addresses) if (found?.projectId === projectId) addresses.delete(key)
      first.delete(projectId)
      previews.forget(projectId)
    },
    async close() {
      clearInterval(releasing)
      closed.abort()
      await Promise.allSettled([liveEditions.close(), previews.close(), ...publishing])
    },
  }
  return self

  async function find(
    key: string,
    ask: () => Promise<store.LiveRow | undefined>,
    base: string | null,
    domain: string | null = null,
  ): Promise<ServedSite | null> {
    const known = addresses.get(key)
    const isIdle = !known || performance.now() - known.lookedAt > idleMs
    let address = await look(key, ask)
    if (address.found && !address.found.live) {
      await publishFirst(address.found.projectId)
      addresses.delete(key)
      address = await look(key, ask)
      if (address.found && !address.found.live) throw notPublished()
    }
    if (!address.found) return null
    const { edition, ref: branch, docsPath } = await liveEditions.find(address.found, { isIdle })
    if (address.served?.edition !== edition) {
      const place = { base, domain, edition, kind: 'live', branch, docsPath } as const
      address.served = servedSite(deps.config, address.found, place)
    }
    return address.served
  }

  function findKnown(key: string): ServedSite | null {
    const address = addresses.get(key)
    if (!address?.found || !address.served || performance.now() - address.lookedAt >= lookEveryMs) return null
    return liveEditions.isCurrent(address.found, address.served.edition) ? address.served : null
  }

  /** What the database says of an address, asked at most every half second. */
  async function look(key: string, ask: () => Promise<store.LiveRow | undefined>): Promise<Address> {
    const known = addresses.get(key)
    if (known && performance.now() - known.lookedAt < lookEveryMs) return known
    if (known?.looking) {
      await known.looking
      return known
    }
    const address = known ?? { found: null, lookedAt: Number.NEGATIVE_INFINITY, looking: null, served: null }
    addresses.delete(key)
    addresses.set(key, address)
    const [oldest] = addresses.keys()
    if (addresses.size > mostRemembered) addresses.delete(oldest!)
    address.looking = ask().then(
      (row) => {
        // A project may have got another name.
        if (address.found?.name !== row?.name) address.served = null
        address.found = row ?? null
        address.lookedAt = performance.now()
      },
      (err) => {
        // Readers keep what they have while the database is away.
        if (!address.found) throw err
        log.warn({ err }, 'site.lookup_failed')
        address.lookedAt = performance.now()
      },
    )
    try {
      await address.looking
    } finally {
      address.looking = null
    }
    return address
  }

  async function publishFirst(projectId: string): Promise<void> {
    const known = first.get(projectId)
    const isFresh = known !== undefined && performance.now() - known.at < tryFirstEveryMs
    const started = isFresh ? known : startFirst(projectId)
    await Promise.race([started.done, timeout(waitForFirstMs)])
  }

  function startFirst(projectId: string) {
    const publish = { projectId, reason: 'first', isLastTry: true, signal: closed.signal } as const
    const done = publishSite({ ...deps, liveSites: self }, publish).catch((err) => {
      log.warn({ err, projectId }, 'site.first_publish_failed')
    })
    publishing.add(done)
    void done.finally(() => publishing.delete(done))
    const started = { done, at: performance.now() }
    first.set(projectId, started)
    return started
  }
}

/** Says no more: readers have no business with what a project's repository answers. */
function notPublished(): DocentError {
  const message = 'This site is not published yet. Those who keep it see why in its deployments.'
  return new DocentError('unavailable', 'site.not_published', message, { retryAfterSeconds: 10 })
}
