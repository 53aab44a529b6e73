import { createRecent } from '#infra/files/recent.ts'
import type { Edition } from '../edition/edition.ts'
import type { LiveSitesDeps } from './live-sites.ts'
import { readCommit } from './site-source.ts'
import type { LiveRow } from './store.ts'

/** The edition that readers of a project get. */
export interface LiveEdition {
  deploymentId: string
  edition: Edition
  openedAt: number
  ref: string
  docsPath: string
}

export interface LiveEditions {
  /**
   * The edition of the deployment that is live. While it is opened, readers get the one before: all at once they get the
   * new one. `isIdle`: nobody has asked for a while, so what is here may be old; then it is worth a short wait.
   */
  find(row: LiveRow, options: { isIdle: boolean }): Promise<LiveEdition>
  /** Whether `find` would give this edition, as far as that is known without asking anybody. */
  isCurrent(row: LiveRow, edition: Edition): boolean
  /** Lets go of those that nobody asked for since. */
  releaseBefore(time: number): void
  close(): Promise<void>
}

// An edition that nobody asks for is closed; so often it is asked for.
const askEveryMs = 500
const waitWhenIdleMs = 1_500
const mostRemembered = 5_000

export function createLiveEditions(deps: LiveSitesDeps): LiveEditions {
  const { editions, log } = deps
  const lives = new Map<string, LiveEdition>()
  const opening = new Map<string, { deploymentId: string; done: Promise<void> }>()
  const gitDirs = createRecent<string>({ most: mostRemembered, weigh: () => 1 })
  const closed = new AbortController()

  async function open({ projectId, live }: LiveRow): Promise<Edition> {
    const { id, commit, ref, docsPath } = live!
    const { signal } = closed
    const gitDir = gitDirs.find(id) ?? (await readCommit(deps, { projectId, commit, ref, signal })).gitDir
    gitDirs.keep(id, gitDir)
    return await editions.open({ projectId, gitDir, commit, docsPath, signal })
  }

  function start(row: LiveRow) {
    const { projectId } = row
    const { id: deploymentId, ref, docsPath } = row.live!
    const isWanted = () => opening.get(projectId) === started
    const done = open(row).then(
      (edition) => {
        if (isWanted()) lives.set(projectId, { deploymentId, edition, openedAt: performance.now(), ref, docsPath })
      },
      (err) => {
        if (!closed.signal.aborted) log.warn({ err, projectId, deploymentId }, 'site.open_failed')
        throw err
      },
    )
    const started = { deploymentId, done }
    opening.set(projectId, started)
    const over = () => {
      if (isWanted()) opening.delete(projectId)
    }
    done.then(over, over)
    return started
  }

  return {
    async find(row, { isIdle }) {
      const { projectId } = row
      const wanted = row.live!.id
      const now = lives.get(projectId)
      if (now?.deploymentId === wanted) {
        if (performance.now() - now.openedAt > askEveryMs) {
          now.edition = await open(row)
          now.openedAt = performance.now()
        }
        return now
      }
      const known = opening.get(projectId)
      const next = known?.deploymentId === wanted ? known : start(row)
      if (!now) await next.done
      else if (isIdle) await Promise.race([next.done, timeout(waitWhenIdleMs)]).catch(() => {})
      // Null only when a still newer one came in between.
      return lives.get(projectId) ?? (await this.find(row, { isIdle }))
    },
    isCurrent({ projectId, live }, edition) {
      const now = lives.get(projectId)
      if (now?.edition !== edition || now.deploymentId !== live?.id) return false
      return performance.now() - now.openedAt <= askEveryMs
    },
    releaseBefore(time) {
      for (const [projectId, { openedAt }] of lives) if (openedAt < time) lives.delete(projectId)
    },
    async close() {
      closed.abort()
      await Promise.allSettled(opening.values().map(({ done }) => done))
    },
  }
}

export function timeout(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
