import type { EventStore } from '#backends/events/event-store.ts'
import type { View } from '#backends/events/view.ts'
import type { Clock } from '#base/clock.ts'
import { systemClock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { createClassifier } from '#features/analytics/classify/classifier.ts'
import { createIntake, type Intake } from '#features/analytics/intake/intake.ts'
import { createSecretBox, type SecretBox } from '#infra/data/secret-box.ts'
import type { Db } from '#infra/db/schema.ts'
import { createMemoryEventStore } from './memory-event-store.ts'
import { createTestLog, openDatabase } from './open-database.ts'
import type { TestDatabase } from './test-database.ts'

/** What takes views in, on a database that is its own from then on, and with the views in memory to look at. */
export interface AnalyticsStage {
  db: Db
  clock: Clock
  log: Log
  logged: Record<string, unknown>[]
  secretBox: SecretBox
  disk: { views: View[] }
  events: EventStore
  intake: Intake
  /** Another node on the same database. */
  createNode(): Intake
  createProject(): Promise<string>
  close(): Promise<void>
}

export async function createAnalyticsStage(
  database: TestDatabase,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<AnalyticsStage> {
  const { db, close } = await openDatabase(database.settings)
  const { log, lines } = createTestLog()
  const secretBox = createSecretBox('a secret for tests, long enough to be one')
  const disk: { views: View[] } = { views: [] }
  const events = createMemoryEventStore(disk)
  const classifier = createClassifier({ rangesFolder: `${database.settings.data}/ranges`, log })
  const createNode = () => createIntake({ db, clock, log, secretBox, events, classifier })
  const organizationId = newId('org')
  await db.insertInto('organizations').values({ id: organizationId, name: 'Acme', slug: organizationId }).execute()
  return {
    db,
    clock,
    log,
    logged: lines,
    secretBox,
    disk,
    events,
    intake: createNode(),
    createNode,
    async createProject() {
      const id = newId('prj')
      const row = { id, organizationId, name: 'Docs', slug: id.toLowerCase().replace('_', '-'), provider: 'builtin' }
      await db
        .insertInto('projects')
        .values({ ...row, docsPath: '', openPaths: [] })
        .execute()
      return id
    },
    async close() {
      await close()
      await database.delete()
    },
  }
}
