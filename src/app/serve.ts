import { pingClickhouse } from '#backends/events/clickhouse/ping.ts'
import { DocentError, messageOf } from '#base/errors.ts'
import { createLog, type Log } from '#base/log.ts'
import type { ResolvedConfig } from '#infra/config/resolve.ts'
import type { Config } from '#infra/config/settings.ts'
import { openDataFolder, socketAddress } from '#infra/data/folder.ts'
import type { HttpApp } from '#infra/http/http-app.ts'
import { compose, type Services } from './compose.ts'
import { ensureFirstRun, type FirstRun } from './first-run.ts'
import { listenLocally } from './http/local-socket.ts'
import { buildServer } from './http/server.ts'
import { version } from './version.ts'
import { startWorker } from './worker.ts'

export interface RunningServer {
  firstRun: FirstRun
  services: Services
  /** Finishes what is running, within the configured time, and lets go of everything. */
  stop(): Promise<void>
}

export interface ServeInput {
  resolved: ResolvedConfig
  onProgress(message: string): void
  log?: Log
}

/** The service in this process: HTTP, the local socket and the worker. */
export async function startServer({ resolved, onProgress, log: given }: ServeInput): Promise<RunningServer> {
  const { config, warnings } = resolved
  const log = given ?? createLog({ level: config.logLevel, format: config.logFormat, destination: process.stdout })
  for (const warning of warnings) log.warn({ warning }, 'config.warning')
  const socketPath = socketAddress(config.data)
  const holder = { pid: process.pid, url: config.baseUrl, startedAt: new Date().toISOString() }
  const folder = openDataFolder(config.data, holder)
  const release: (() => unknown)[] = [() => folder.release()]
  let isStopping = false
  try {
    const services = await compose({ config, log, onProgress })
    const timeoutMs = config.shutdownTimeoutSeconds * 1000
    release.unshift(() => services.close({ timeoutMs }))
    const firstRun = await ensureFirstRun(services)
    const { database, queue } = services
    const { clickhouseUrl } = config
    const checks = {
      database: () => database.ping(),
      queue: () => queue.ping(),
      ...(clickhouseUrl ? { analytics: () => pingClickhouse(clickhouseUrl) } : {}),
    }
    const app = await buildServer({ ...services, version, checks, isStopping: () => isStopping })
    release.unshift(() => closeWithin(app, timeoutMs, log))
    await listen(app, config)
    const local = await listenLocally(app, socketPath)
    release.unshift(() => local.close())
    await startWorker(services)
    log.info({ url: config.baseUrl, database: database.description, version }, 'server.ready')

    let stopped: Promise<void> | undefined
    const stop = async () => {
      isStopping = true
      log.info('server.stopping')
      for (const step of release) await step()
      log.info('server.stopped')
    }
    return { firstRun, services, stop: () => (stopped ??= stop()) }
  } catch (error) {
    for (const step of release) await Promise.resolve(step()).catch((err) => log.warn({ err }, 'server.cleanup_failed'))
    throw error
  }
}

/** Waits for running requests, but not for ever: a reader that never reads must not keep the process. */
async function closeWithin(app: HttpApp, timeoutMs: number, log: Log): Promise<void> {
  const cutOff = setTimeout(() => {
    log.warn('server.connections_cut')
    app.server.closeAllConnections()
  }, timeoutMs)
  // A connection whose last request is answered would otherwise be kept open for another one that cannot come.
  const sweep = setInterval(() => app.server.closeIdleConnections(), 100)
  await app.close().finally(() => {
    clearTimeout(cutOff)
    clearInterval(sweep)
  })
}

async function listen(app: HttpApp, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port, listenTextResolver: () => 'server.listening' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reasons: Record<string, string> = {
      EADDRINUSE: `Port ${port} on ${host} is taken by another program. Stop it, or set DOCENT_PORT to another port.`,
      EACCES: `This user may not listen on port ${port}. Set DOCENT_PORT to one above 1023.`,
      EADDRNOTAVAIL: `${host} is not an address of this machine. Set DOCENT_HOST to one, such as 127.0.0.1 or 0.0.0.0.`,
    }
    const message = reasons[code ?? ''] ?? `Cannot listen on ${host}:${port}: ${messageOf(error)}.`
    throw new DocentError('unavailable', 'server.cannot_listen', message, { cause: error })
  }
}
