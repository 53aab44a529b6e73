import type { EventStore } from '#backends/events/event-store.ts'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { ProjectsDeps } from '#features/projects/service.ts'
import type { Config } from '#infra/config/settings.ts'
import type { SecretBox } from '#infra/data/secret-box.ts'
import type { Db } from '#infra/db/schema.ts'
import type { Classifier } from './classify/classifier.ts'
import type { Intake } from './intake/intake.ts'

export interface AnalyticsDeps {
  db: Db
  clock: Clock
  log: Log
  config: Pick<Config, 'baseUrl' | 'model' | 'data' | 'trustedProxies' | 'proxyHeader'> & ProjectsDeps['config']
  secretBox: SecretBox
  events: EventStore
  classifier: Classifier
  intake: Intake
}
