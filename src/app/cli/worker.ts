import { DocentError } from '#base/errors.ts'
import { createLog } from '#base/log.ts'
import { compose } from '../compose.ts'
import { endOnCrash, stopRequested } from '../signals.ts'
import { startWorker } from '../worker.ts'
import { defineCommand } from './command.ts'

export const worker = defineCommand({
  name: 'worker',
  about: 'Runs a worker without the API: more hands for background work. Needs PostgreSQL.',
  options: {},
  examples: ['DOCENT_DATABASE_URL=postgres://docent@db/docent docent worker'],
  async run({ output, config: resolve }) {
    const { config } = resolve()
    if (!config.databaseUrl) {
      const message =
        'A separate worker needs PostgreSQL: set DOCENT_DATABASE_URL. The embedded database takes one process, and docent serve works on jobs itself.'
      throw new DocentError('invalid', 'worker.needs_postgres', message)
    }
    const stop = stopRequested()
    const log = createLog({ level: config.logLevel, format: config.logFormat, destination: process.stdout })
    const services = await compose({ config, log, onProgress: (message) => output.note(`${message} …`) })
    await startWorker(services)
    log.info({ database: services.database.description }, 'worker.ready')
    endOnCrash(log)
    await stop
    await services.close({ timeoutMs: config.shutdownTimeoutSeconds * 1000 })
  },
})
