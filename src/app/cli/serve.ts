import { banner } from '../banner.ts'
import { markKeyShown } from '../first-run.ts'
import { startServer } from '../serve.ts'
import { endOnCrash, stopRequested } from '../signals.ts'
import { defineCommand } from './command.ts'

export const serve = defineCommand({
  name: 'serve',
  about: 'Runs the service in this process: API, local socket and worker.',
  options: {},
  examples: ['docent serve', 'DOCENT_PORT=8080 docent serve'],
  async run({ output, config: resolve }) {
    const stop = stopRequested()
    const server = await startServer({
      resolved: resolve(),
      onProgress: (message) => output.note(`${message} …`),
    })
    const { services, firstRun } = server
    const { baseUrl: url, data } = services.config
    endOnCrash(services.log)
    output.result({ url, data, ...firstRun }, banner(services.config, firstRun))
    if (firstRun.adminKey) await markKeyShown(services)
    await stop
    await server.stop()
  },
})
