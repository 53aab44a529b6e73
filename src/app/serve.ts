import { pingClickhouse } from '#backends/events/clickhouse/ping.ts'
import { DocentError, messageOf } from '#base/errors.ts'
import { createLog } from '#base/log.ts'
import { sweepAnalytics } from '#features/analytics/service.ts'
import type { ResolvedConfig } from '#infra/config/resolve.ts'
import type { Config } from '#infra/config/settings.ts'
import { openDataFolder, socketAddress } from '#infra/data/folder.ts'
import type { HttpApp } from '#infra/http/http-app.ts'
import { compose, type Services } from './compose.ts'
import { ensureFirstRun, type FirstRun } from './first-run.ts'
import { drain } from './http/drain.ts'
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
}

// A start that fails has taken no work yet that would be worth waiting for.
const failedStartTimeoutMs = 1_000

/** The service in this process: HTTP, the local socket and the worker. */
export async function startServer({ resolved, onProgress }: ServeInput): Promise<RunningServer> {
  const { config, warnings } = resolved
  const log = createLog({ level: config.logLevel, format: config.logFormat, destination: process.stdout })
  for (const warning of warnings) log.warn({ warning }, 'config.warning')
  const socketPath = socketAddress(config.data)
  const holder = { pid: process.pid, url: config.baseUrl, startedAt: new Date().toISOString() }
  const folder = openDataFolder(config.data, holder)
  // Undone last to first. One time is for all of them: each gets what the ones before it have left.
  const release: ((timeoutMs: number) => unknown)[] = [() => folder.release()]
  let isStopping = false
  try {
    const services = await compose({ config, log, onProgress })
    release.unshift((timeoutMs) => services.close({ timeoutMs }))
    services.dashboard.prepare()
    const firstRun = await ensureFirstRun(services)
    const { database, queue, events } = services
    const { clickhouseUrl } = config
    const checks = {
      database: () => database.ping(),
      queue: () => queue.ping(),
      async analytics() {
        await events.ping()
        if (clickhouseUrl) await pingClickhouse(clickhouseUrl)
      },
    }
    const app = await buildServer({ ...services, version, checks, isStopping: () => isStopping })
    release.unshift((timeoutMs) => drain(app.server, { close: () => app.close(), timeoutMs, log }))
    await listen(app, config)
    const local = await listenLocally(app, socketPath)
    const closeLocal = () => new Promise((resolve) => local.close(resolve))
    release.unshift((timeoutMs) => drain(local, { close: closeLocal, timeoutMs, log }))
    await startWorker(services)
    release.unshift(keepAnalytics(services))
    log.info({ url: config.baseUrl, database: database.description, version }, 'server.ready')

    let stopped: Promise<void> | undefined
    const stop = async () => {
      isStopping = true
      log.info('server.stopping')
      const deadline = performance.now() + config.shutdownTimeoutSeconds * 1000
      for (const step of release) await step(Math.max(0, deadline - performance.now()))
      log.info('server.stopped')
    }
    return { firstRun, services, stop: () => (stopped ??= stop()) }
  } catch (error) {
    for (const step of release) {
      try {
        await step(failedStartTimeoutMs)
      } catch (err) {
        log.warn({ err }, 'server.cleanup_failed')
      }
    }
    throw error
  }
}

// What is past its time may stay this much longer.
const sweepEveryMs = 600_000

/** Sweeps from time to time. Not a job of the queue: only this process has the store's file. Returns what ends it. */
function keepAnalytics(services: Services): () => Promise<void> {
  const stop = new AbortController()
  let sweeping: Promise<void> | null = null
  const sweep = () => {
    // One that takes longer than the time between two is not begun again beside itself.
    sweeping ??= sweepAnalytics(services, stop.signal)
      .catch((err) => services.log.warn({ err }, 'analytics.sweep_failed'))
      .finally(() => {
        sweeping = null
      })
  }
  const timer = setInterval(sweep, sweepEveryMs).unref()
  return async () => {
    clearInterval(timer)
    stop.abort()
    await sweeping
  }
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
