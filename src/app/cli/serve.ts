import { banner } from '../banner.ts'
import type { Services } from '../compose.ts'
import { markKeyShown } from '../first-run.ts'
import { startServer } from '../serve.ts'
import { untilSignal } from '../signals.ts'
import { defineCommand } from './command.ts'

export const serve = defineCommand({
  name: 'serve',
  about: 'Runs the service in this process: API, local socket and worker.',
  options: {},
  examples: ['docent serve', 'DOCENT_PORT=8080 docent serve'],
  async run({ output, config }) {
    const resolved = config()
    const server = await startServer({ resolved, onProgress: (message) => output.note(`${message} …`) })
    const { services, firstRun } = server
    output.result(described(services, firstRun), banner(services.config, firstRun))
    if (firstRun.adminKey) await markKeyShown(services)
    return await untilSignal({ log: services.log, stop: server.stop })
  },
})

function described(
  { config }: Services,
  { adminKey, demoProjectId }: { adminKey: string | null; demoProjectId: string | null },
) {
  return { url: config.baseUrl, adminKey, demoProjectId, data: config.data }
}
