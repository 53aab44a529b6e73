import { openDuckdbEvents } from '#backends/events/duckdb/duckdb-events.ts'
import type { EventStore } from '#backends/events/event-store.ts'
import { type BuiltinHost, createBuiltinHost } from '#backends/hosts/builtin/builtin-host.ts'
import type { OpenModel } from '#backends/models/model.ts'
import { createModels } from '#backends/models/models.ts'
import { type Clock, systemClock } from '#base/clock.ts'
import { DocentError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { createKeyRing, type KeyRing } from '#features/accounts/key-ring.ts'
import { createOidc, type Oidc } from '#features/accounts/oidc/oidc.ts'
import { type Auth, createAuth } from '#features/accounts/sessions/auth.ts'
import { createPasswordHasher, type PasswordHasher } from '#features/accounts/sessions/password-hash.ts'
import { createSessionRing, type SessionRing } from '#features/accounts/sessions/session-ring.ts'
import type { Agent } from '#features/agent/agent-run.ts'
import { createEditorAgent } from '#features/agent/editor/run-editor.ts'
import { createJobWatchers, type JobWatchers } from '#features/agent/job-watchers.ts'
import { type Classifier, createClassifier } from '#features/analytics/classify/classifier.ts'
import { createIntake, type Intake } from '#features/analytics/intake/intake.ts'
import { createPageCache, createPageRenderer, type PageCache, type PageRenderer } from '#features/content/service.ts'
import { createEditions, type Editions } from '#features/site/edition/editions.ts'
import { createLiveSites, type LiveSites } from '#features/site/publish/live-sites.ts'
import type { Config } from '#infra/config/settings.ts'
import { dataPaths } from '#infra/data/folder.ts'
import { createSecretBox, ensureSecretFile, type SecretBox } from '#infra/data/secret-box.ts'
import type { Database } from '#infra/db/database.ts'
import { ensureFact } from '#infra/db/facts.ts'
import { migrate } from '#infra/db/migrate.ts'
import { openPglite } from '#infra/db/pglite.ts'
import { openPostgres } from '#infra/db/postgres.ts'
import type { Db } from '#infra/db/schema.ts'
import { createGitCache, type GitCache } from '#infra/files/git-cache.ts'
import { createOutboundClient, type NameResolver, type OutboundClient } from '#infra/http-client/outbound-client.ts'
import { createRateLimiter, type RateLimiter } from '#infra/limits/rate-limiter.ts'
import { type Queue, startQueue } from '#infra/queue/queue.ts'
import { createDashboard, type Dashboard } from './http/dashboard.ts'
import { jobs } from './jobs.ts'
import { version } from './version.ts'

/** Everything a process is made of. Functions take the few of these that they need. */
export interface Services {
  config: Config
  clock: Clock
  log: Log
  database: Database
  db: Db
  queue: Queue
  secretBox: SecretBox
  keyRing: KeyRing
  auth: Auth
  hasher: PasswordHasher
  sessionRing: SessionRing
  oidc: Oidc
  limiter: RateLimiter
  builtinHost: BuiltinHost
  outbound: OutboundClient
  /** How vendors' APIs are called. */
  fetch: typeof globalThis.fetch
  jobWatchers: JobWatchers
  events: EventStore
  classifier: Classifier
  intake: Intake
  pageCache: PageCache
  gitCache: GitCache
  renderer: PageRenderer
  editions: Editions
  liveSites: LiveSites
  agents: { editor: Agent; loop: Agent }
  openModel: OpenModel
  dashboard: Dashboard
  /** Gives running work this long, then lets go of everything. */
  close(options: { timeoutMs: number }): Promise<void>
}

export interface ComposeInput {
  config: Config
  log: Log
  clock?: Clock
  /** How addresses that somebody else chose are found; as the system does it by default. */
  resolveName?: NameResolver
  /** How vendors' APIs are called; Node's own by default. */
  fetch?: typeof globalThis.fetch
  onProgress?(message: string): void
}

// How often an embedded database may tidy up; it decides itself whether there is something to do.
const maintainEveryMs = 60_000

/** The only place that builds dependencies. On the embedded database, the caller holds the data folder's lock. */
export async function compose({
  config,
  log,
  clock = systemClock,
  resolveName,
  fetch = globalThis.fetch,
  onProgress = () => {},
}: ComposeInput): Promise<Services> {
  const paths = dataPaths(config.data)
  const database = config.databaseUrl
    ? await openPostgres({
        url: config.databaseUrl,
        onProgress,
        onConnectionLost: (err) => log.warn({ err }, 'database.connection_lost'),
      })
    : await openPglite({ folder: paths.pg, onProgress })
  try {
    const applied = await migrate(database.db)
    if (applied.length > 0) log.debug({ applied }, 'database.migrated')
    const secretBox = createSecretBox(config.secret ?? ensureSecretFile(paths.secretKey))
    await claimSecret(database.db, secretBox)
    const queue = await startQueue({ database, log })
    await queue.declare(jobs)
    const limiter = createRateLimiter({ db: database.db, clock, log })
    const pageCache = createPageCache()
    const gitCache = createGitCache()
    const renderer = createPageRenderer()
    const editions = createEditions({ folder: paths.sites, renderer, gitCache, clock, log })
    // Not opened before it is asked: a worker never does, and the file is one process's.
    const events = openDuckdbEvents({ file: paths.analytics, memoryMb: config.analyticsMemoryMb, log })
    const classifier = createClassifier({ rangesFolder: paths.ranges, log, clock })
    const intake = createIntake({ db: database.db, clock, log, secretBox, events, classifier })
    // Loaded by the first job that needs it: what talks to models takes as long to load as the rest together.
    const openModel = createModels(config)
    const loop: Agent = async (run) => {
      const { createLoopAgent } = await import('#features/agent/loop/run-loop.ts')
      return await createLoopAgent({ openModel, clock, log, pageCache, record: config.record })(run)
    }
    const maintenance = setInterval(() => {
      database.maintain().catch((err) => log.warn({ err }, 'database.maintenance_failed'))
    }, maintainEveryMs).unref()

    const shared = { config, clock, log, db: database.db, queue, secretBox, fetch }
    const liveSites = createLiveSites({ ...shared, editions })
    const hasher = createPasswordHasher()
    const auth = createAuth({ ...shared, hasher })

    return {
      ...shared,
      database,
      keyRing: createKeyRing({ db: database.db, clock, log }),
      auth,
      hasher,
      sessionRing: createSessionRing({ ...shared, auth }),
      oidc: createOidc({ ...shared, hasher }),
      limiter,
      builtinHost: createBuiltinHost({ folder: config.repositories }),
      outbound: createOutboundClient({
        userAgent: `Docent/${version}`,
        allowPrivate: config.webhookAllowPrivate,
        ...(resolveName ? { resolveName } : {}),
      }),
      jobWatchers: createJobWatchers(),
      events,
      classifier,
      intake,
      pageCache,
      gitCache,
      renderer,
      editions,
      liveSites,
      agents: { editor: createEditorAgent({ pageCache }), loop },
      openModel,
      dashboard: createDashboard({ log }),
      async close({ timeoutMs }) {
        clearInterval(maintenance)
        limiter.stop()
        await queue.stop({ timeoutMs })
        await liveSites.close()
        await editions.close()
        await renderer.close()
        await intake.drain()
        await events.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * The first node writes down which secret this database belongs to; a node with another one could not read the stored
 * tokens, and must not find that out later, one token at a time.
 */
async function claimSecret(db: Db, { fingerprint }: SecretBox): Promise<void> {
  if ((await ensureFact(db, 'secret.fingerprint', fingerprint)) === fingerprint) return
  const message =
    'This server has another secret than the one this database was set up with. Set DOCENT_SECRET to the same value on every node, or put back the secret.key of the first node’s data folder.'
  throw new DocentError('conflict', 'secret.differs', message)
}
