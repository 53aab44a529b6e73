import { DocentError } from '#base/errors.ts'
import { createRecent } from '#infra/files/recent.ts'
import { isBranchName } from '#infra/git/name-rules.ts'
import type { Edition } from '../edition/edition.ts'
import type { ServedSite } from '../serve/served-site.ts'
import type { FindPreview, LiveSitesDeps } from './live-sites.ts'
import { branchOfPreview, isSigned, parseSharedName } from './preview-name.ts'
import { servedSite } from './served-address.ts'
import { type FoundCommit, findCommit, readBranch } from './site-source.ts'
import type { LiveRow } from './store.ts'

export interface PreviewSites {
  find(input: FindPreview & { project: LiveRow }): Promise<ServedSite | null>
  forget(projectId: string): void
  close(): Promise<void>
}

// A host is asked where a branch is at most so often.
const lookEveryMs = 2_000
const mostRemembered = 200
// Building one takes a processor for a while, and anybody with a link can ask for it.
const mostAtOnce = 2
const mostWaiting = 20

interface Preview {
  projectId: string
  found: (FoundCommit & { branch: string | null }) | null
  lookedAt: number
  looking: Promise<void> | null
}

/** Branches and commits as sites, for those who may see them. */
export function createPreviewSites(deps: LiveSitesDeps): PreviewSites {
  const { editions, secretBox, clock, config } = deps
  const previews = new Map<string, Preview>()
  const closed = new AbortController()
  const { signal } = closed
  const building = new Map<string, Promise<Edition>>()
  // What was built once opens quickly, and need not wait for what is built for the first time.
  const built = createRecent<true>({ most: mostRemembered, weigh: () => 1 })
  const inLane = createLane({ most: mostAtOnce, mostWaiting })

  return {
    async find({ project, name: shared, organizationId, isHere = false }) {
      const { projectId } = project
      const parsed = parseSharedName(shared)
      const isOwn = organizationId !== null && organizationId === project.organizationId
      if (!isOwn && !isHere && !isSigned(secretBox, { projectId, shared: parsed, now: clock.now() })) return null
      const found = await look(projectId, parsed.name)
      if (!found) return null
      const edition = await openEdition(project, found)
      const base = `/previews/${project.slug}/${encodeURIComponent(shared).replaceAll('%40', '@')}`
      const { docsPath } = project
      return servedSite(config, project, {
        base,
        domain: null,
        edition,
        kind: 'preview',
        branch: found.branch,
        docsPath,
      })
    },
    forget(projectId) {
      for (const [key, preview] of previews) if (preview.projectId === projectId) previews.delete(key)
    },
    async close() {
      closed.abort()
      await Promise.allSettled([...building.values()])
    },
  }

  async function look(projectId: string, name: string): Promise<Preview['found']> {
    const key = `${projectId} ${name}`
    const known = previews.get(key)
    if (known && performance.now() - known.lookedAt < lookEveryMs) return known.found
    const preview = known ?? { projectId, found: null, lookedAt: Number.NEGATIVE_INFINITY, looking: null }
    previews.delete(key)
    previews.set(key, preview)
    const [oldest] = previews.keys()
    if (previews.size > mostRemembered) previews.delete(oldest!)
    // A commit stays what it is.
    if (preview.found && preview.found.branch === null) return preview.found
    preview.looking ??= resolve(projectId, name)
      .then((found) => {
        preview.found = found
        preview.lookedAt = performance.now()
      })
      .finally(() => {
        preview.looking = null
      })
    await preview.looking
    return preview.found
  }

  /** Commits first: a branch that is called like one must not be shown in its place. */
  async function resolve(projectId: string, name: string): Promise<Preview['found']> {
    if (/^[0-9a-f]{7,40}$/.test(name)) {
      const commit = await findCommit(deps, { projectId, commit: name, signal })
      if (commit) return { ...commit, branch: null }
    }
    const branch = branchOfPreview(name)
    if (!isBranchName(branch)) return null
    try {
      return { ...(await readBranch(deps, { projectId, branch, signal })), branch }
    } catch (error) {
      if (error instanceof DocentError && error.kind === 'not_found') return null
      throw error
    }
  }

  async function openEdition({ projectId, docsPath }: LiveRow, { gitDir, commit }: FoundCommit): Promise<Edition> {
    const key = `${projectId} ${commit} ${docsPath}`
    const openNow = () => editions.open({ projectId, gitDir, commit, docsPath, signal })
    if (built.find(key)) return await openNow()
    const known = building.get(key)
    if (known) return await known
    const done = inLane(openNow)
    building.set(key, done)
    try {
      const edition = await done
      built.keep(key, true)
      return edition
    } finally {
      building.delete(key)
    }
  }
}

/** Lets so many do something at a time, and so many wait for it. */
function createLane({ most, mostWaiting }: { most: number; mostWaiting: number }) {
  let running = 0
  const waiting: (() => void)[] = []
  return async function enter<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running >= most) {
      if (waiting.length >= mostWaiting) {
        const message = 'Too many previews are being made at this moment.'
        throw new DocentError('unavailable', 'site.previews_busy', message, { retryAfterSeconds: 5 })
      }
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
