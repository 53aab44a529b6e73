import type { SiteDeps } from '../site-deps.ts'
import { listDomainNames } from './store.ts'

/** The custom domains that there are, in memory: whether a request is for one is asked before anything else. */
export interface KnownDomains {
  has(domain: string): boolean
  /** Looks them up now; otherwise this happens every second. */
  refresh(): Promise<void>
  stop(): void
}

const refreshEveryMs = 1_000

export function createKnownDomains({ db, log }: Pick<SiteDeps, 'db' | 'log'>): KnownDomains {
  let names: ReadonlySet<string> = new Set()
  let refreshing: Promise<void> | null = null

  async function look(): Promise<void> {
    try {
      names = new Set(await listDomainNames(db))
    } catch (err) {
      // Those of before go on being served.
      log.warn({ err }, 'site.domains_unknown')
    }
  }

  function refresh(): Promise<void> {
    refreshing ??= look().finally(() => {
      refreshing = null
    })
    return refreshing
  }

  const timer = setInterval(refresh, refreshEveryMs).unref()
  return { has: (domain) => names.has(domain), refresh, stop: () => clearInterval(timer) }
}
