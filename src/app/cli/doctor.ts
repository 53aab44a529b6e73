import { execFile } from 'node:child_process'
import { access, constants, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { pingClickhouse } from '#backends/events/clickhouse/ping.ts'
import { messageOf } from '#base/errors.ts'
import type { Config } from '#infra/config/settings.ts'
import { dataPaths } from '#infra/data/folder.ts'
import { openPostgres } from '#infra/db/postgres.ts'
import { oldestGit } from '#infra/git/run-git.ts'
import { createClient } from './client.ts'
import { type CommandInput, defineCommand } from './command.ts'

interface Finding {
  check: string
  status: 'ok' | 'warning' | 'fault'
  found: string
  /** What to do about it; null when nothing. */
  advice: string | null
}

const oldestNode = 24
const leastFreeBytes = 1024 ** 3

export const doctor = defineCommand({
  name: 'doctor',
  about: 'Checks Node, git, the configuration, the data folder, the database and the port, and says what to do.',
  options: {},
  async run({ output, config: resolve, options }) {
    const findings = [checkNode(), await checkGit()]
    let config: Config | null = null
    try {
      const resolved = resolve()
      config = resolved.config
      const advice = resolved.warnings.join(' ') || null
      findings.push({ check: 'configuration', status: advice ? 'warning' : 'ok', found: 'valid', advice })
    } catch (error) {
      findings.push({
        check: 'configuration',
        status: 'fault',
        found: messageOf(error),
        advice: 'Correct these settings.',
      })
    }
    if (config) {
      const running = await isRunning({ options, output, args: [], config: resolve })
      findings.push(
        ...(await checkFolder(config)),
        await checkDatabase(config, running),
        ...(await checkAnalytics(config)),
        await checkPort(config, running),
      )
    }
    const signs = { ok: '✓', warning: '!', fault: '✗' }
    const text = findings.flatMap(({ check, status, found, advice }) => [
      `${signs[status]} ${check.padEnd(14)} ${found}`,
      ...(advice ? [`  ${' '.repeat(14)} → ${advice}`] : []),
    ])
    const faults = findings.filter(({ status }) => status === 'fault').length
    const verdict = faults === 0 ? 'Nothing stands in the way.' : `${faults} to mend.`
    output.result({ ok: faults === 0, findings }, [...text, '', verdict].join('\n'))
    return faults === 0 ? 0 : 1
  },
})

function checkNode(): Finding {
  const isNewEnough = Number(process.versions.node.split('.')[0]) >= oldestNode
  return {
    check: 'Node',
    status: isNewEnough ? 'ok' : 'fault',
    found: process.versions.node,
    advice: isNewEnough ? null : `Docent runs on Node ${oldestNode}; npm start brings its own.`,
  }
}

async function checkGit(): Promise<Finding> {
  try {
    const { stdout } = await promisify(execFile)('git', ['--version'])
    const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(stdout) ?? []
    const isNewEnough =
      Number(major) > oldestGit[0] || (Number(major) === oldestGit[0] && Number(minor) >= oldestGit[1])
    const advice = isNewEnough ? null : `Install git ${oldestGit.join('.')} or newer.`
    return {
      check: 'git',
      status: isNewEnough ? 'ok' : 'fault',
      found: stdout.trim().replace('git version ', ''),
      advice,
    }
  } catch {
    return { check: 'git', status: 'fault', found: 'not found', advice: `Install git ${oldestGit.join('.')} or newer.` }
  }
}

async function isRunning(input: CommandInput): Promise<boolean> {
  try {
    // Only the local server is asked: doctor is about this machine.
    const local = {
      ...input,
      options: { url: undefined, key: undefined, org: undefined },
      config: () => withoutUrl(input),
    }
    await createClient(local).call('GET', '/healthz')
    return true
  } catch {
    return false
  }
}

function withoutUrl({ config }: CommandInput) {
  const resolved = config()
  return { ...resolved, config: { ...resolved.config, url: undefined } }
}

async function checkFolder({ data }: Config): Promise<Finding[]> {
  let nearest = data
  // The folder is made at the first start; until then its nearest existing parent must be writable.
  for (let parent = dirname(nearest); parent !== nearest; parent = dirname(nearest)) {
    if (
      await access(nearest).then(
        () => true,
        () => false,
      )
    )
      break
    nearest = parent
  }
  try {
    await access(nearest, constants.W_OK)
  } catch {
    const advice = 'Set DOCENT_DATA to a folder that this user may write.'
    return [{ check: 'data folder', status: 'fault', found: `${nearest} is not writable`, advice }]
  }
  const { bavail, bsize } = await statfs(nearest)
  const free = bavail * bsize
  const found = `${data}, ${Math.floor(free / 1024 ** 2).toLocaleString('en')} MiB free`
  const advice = free < leastFreeBytes ? 'Free some space: repositories and analytics grow.' : null
  return [{ check: 'data folder', status: advice ? 'warning' : 'ok', found, advice }]
}

async function checkDatabase({ databaseUrl, data }: Config, running: boolean): Promise<Finding> {
  const check = 'database'
  if (!databaseUrl) {
    const { pg } = dataPaths(data)
    const exists = await access(pg).then(
      () => true,
      () => false,
    )
    const state = running ? 'in use by the running server' : exists ? 'not in use' : 'will be made at the first start'
    return { check, status: 'ok', found: `PGlite in ${pg}, ${state}`, advice: null }
  }
  try {
    const database = await openPostgres({
      url: databaseUrl,
      patienceMs: 0,
      onProgress: () => {},
      onConnectionLost: () => {},
    })
    await database.close()
    return { check, status: 'ok', found: `${database.description} answers`, advice: null }
  } catch (error) {
    return {
      check,
      status: 'fault',
      found: messageOf(error),
      advice: 'Start PostgreSQL, or correct DOCENT_DATABASE_URL.',
    }
  }
}

async function checkAnalytics({ clickhouseUrl }: Config): Promise<Finding[]> {
  if (!clickhouseUrl) return []
  const check = 'analytics'
  try {
    await pingClickhouse(clickhouseUrl)
    return [{ check, status: 'ok', found: `ClickHouse at ${new URL(clickhouseUrl).host} answers`, advice: null }]
  } catch (error) {
    const advice = 'Start ClickHouse, or correct DOCENT_CLICKHOUSE_URL.'
    return [{ check, status: 'fault', found: messageOf(error), advice }]
  }
}

async function checkPort({ host, port }: Config, running: boolean): Promise<Finding> {
  const check = 'port'
  if (running) return { check, status: 'ok', found: `${port}, used by the running server`, advice: null }
  const reason = await new Promise<string | null>((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port }, () => server.close(() => resolve(null)))
  })
  if (reason === null) return { check, status: 'ok', found: `${port} on ${host} is free`, advice: null }
  return {
    check,
    status: 'fault',
    found: `${port} on ${host}: ${reason}`,
    advice: 'Stop what uses it, or set DOCENT_PORT.',
  }
}
