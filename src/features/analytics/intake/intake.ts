import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EventStore } from '#backends/events/event-store.ts'
import { createViewColumns } from '#backends/events/view-columns.ts'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { projectNotFound } from '#features/projects/service.ts'
import type { SecretBox } from '#infra/data/secret-box.ts'
import type { Db } from '#infra/db/schema.ts'
import type { Classifier } from '../classify/classifier.ts'
import { isPrefetch } from '../classify/prefetch.ts'
import { createProjectCache } from '../settings/project-cache.ts'
import type { AnalyticsProject } from '../settings/settings.ts'
import { canonicalPath } from './canonical-path.ts'
import { createColumnViews } from './column-views.ts'
import type { Hit, HitColumns } from './hit.ts'
import { createHitQueue } from './hit-queue.ts'
import { createIdentity, eventIdOf, periodOf } from './identity.ts'
import { createReaders, type ReaderContext } from './reader.ts'
import { cleanReferrer } from './referrer.ts'

/** Why a hit is no view: not the path of a page, fetched before anybody opened it, or by nobody that could be told apart. */
export type SkipReason = 'notPage' | 'prefetch' | 'noVisitor'

export interface Recorded {
  accepted: number
  /** How many were skipped, by reason; only reasons that occurred. */
  skipped: Partial<Record<SkipReason, number>>
}

/** Where all ways in meet: makes views of hits and keeps them. */
export interface Intake {
  /**
   * Resolves when the views among the hits are durable. Throws `not_found` for an unknown project and `unavailable` when
   * too many wait already or the store is away; none of them is kept then.
   */
  record(projectId: string, hits: readonly Hit[]): Promise<Recorded>
  /**
   * The same for hits in columns, of whatever number: other callers get their turns between them.
   */
  recordColumns(projectId: string, columns: HitColumns): Promise<Recorded>
  /** For those who must not wait or fail: keeps the hit soon, or drops it (and says so in the log) when too many wait. */
  offer(projectId: string, hit: Hit): void
  /** Resolves when everything offered so far is kept or lost. */
  drain(): Promise<void>
  /** A project as the intake knows it, at most half a second old. */
  findProject(projectId: string): Promise<AnalyticsProject | null>
  /** Reads the project anew the next time. */
  forgetProject(projectId: string): void
}

export interface IntakeDeps {
  db: Db
  clock: Clock
  log: Log
  secretBox: SecretBox
  events: EventStore
  classifier: Classifier
}

const dayMs = 86_400_000
const mostContexts = 10_000
// Rows that are worked on before other requests get their turn: some ten milliseconds of work.
const rowsPerTurn = 5_000

interface KnownContext extends ReaderContext {
  listVersion: string
}

export function createIntake({ db, clock, log, secretBox, events, classifier }: IntakeDeps): Intake {
  const projects = createProjectCache({ db, clock })
  const identity = createIdentity({ db, secretBox, clock })
  const readers = createReaders(classifier)
  const contexts = new Map<string, KnownContext>()
  let lastContext = 0

  async function contextAt(projectId: string, { settings }: AnalyticsProject, at: number): Promise<ReaderContext> {
    const secret = await identity.secretAt(projectId, settings.visitorIds, at)
    const name = `${projectId} ${periodOf(settings.visitorIds, at)}`
    const known = contexts.get(name)
    const { listVersion } = classifier
    // Rules are read anew every half second, and are then equal but not the same.
    const isSame = known?.listVersion === listVersion && known.secret === secret
    if (isSame && (known.rules === settings.rules || JSON.stringify(known.rules) === JSON.stringify(settings.rules))) {
      return known
    }
    if (contexts.size >= mostContexts) contexts.clear()
    const context = { id: ++lastContext, secret, rules: settings.rules, listVersion }
    contexts.set(name, context)
    return context
  }

  async function contextsOf(projectId: string, project: AnalyticsProject, times: Iterable<number>) {
    if (project.settings.visitorIds === 'stable') {
      const context = await contextAt(projectId, project, 0)
      return () => context
    }
    const byDay = new Map<number, ReaderContext>()
    for (const at of times) {
      const day = Math.floor(at / dayMs)
      if (!byDay.has(day)) byDay.set(day, await contextAt(projectId, project, at))
    }
    return (at: number) => byDay.get(Math.floor(at / dayMs))!
  }

  async function record(projectId: string, hits: readonly Hit[]): Promise<Recorded> {
    const project = await projects.find(projectId)
    if (!project) throw projectNotFound()
    const times = hits.map(({ at }) => at)
    const contextOf = await contextsOf(projectId, project, times)
    const columns = createViewColumns(hits.length)
    const skipped: Recorded['skipped'] = {}
    let accepted = 0
    for (const hit of hits) {
      const path = canonicalPath(hit.path)
      const reason = path === null ? 'notPage' : reasonToSkip(hit)
      if (path === null || reason !== null) {
        skipped[reason!] = (skipped[reason!] ?? 0) + 1
        continue
      }
      const { visitor, verdict } = readers.find(contextOf(hit.at), hit, path)
      const referrer = cleanReferrer(hit.referrer)
      columns.add({
        at: hit.at,
        kind: columns.kindOf({ projectId, verdict, source: hit.source }),
        path: columns.textOf(path),
        referrer: referrer === null ? -1 : columns.textOf(referrer),
        visitor,
        eventId: hit.id === null ? null : eventIdOf(projectId, hit.id),
      })
      accepted++
    }
    if (accepted > 0) await events.appendColumns(columns.finish())
    return { accepted, skipped }
  }

  async function recordColumns(projectId: string, columns: HitColumns): Promise<Recorded> {
    const project = await projects.find(projectId)
    if (!project) throw projectNotFound()
    const contextAt = await contextsOf(projectId, project, columns.at)
    const views = createColumnViews({ projectId, columns, readers, contextAt })
    const rows = columns.at.length
    for (let from = 0; from < rows; from += rowsPerTurn) {
      views.take(from, Math.min(from + rowsPerTurn, rows))
      await nextTurn()
    }
    const { counts } = views
    if (counts.accepted > 0) await events.appendColumns(views.finish())
    const { accepted, ...skipped } = counts
    return { accepted, skipped: Object.fromEntries(Object.entries(skipped).filter(([, count]) => count > 0)) }
  }

  const queue = createHitQueue({ record, clock, log })
  return {
    record,
    recordColumns,
    offer: queue.offer,
    drain: queue.drain,
    findProject: projects.find,
    forgetProject: projects.forget,
  }
}

function reasonToSkip({ request, visitorId, address }: Hit): SkipReason | null {
  if (request && isPrefetch(request.headers)) return 'prefetch'
  // A user agent alone tells nobody apart: all of its users would be one visitor.
  if (visitorId === null && !address) return 'noVisitor'
  return null
}
