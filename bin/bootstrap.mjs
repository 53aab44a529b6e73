// Runs on whatever Node the machine has (20 or newer), before anything is installed: plain JavaScript, nothing of ours
// or of npm is imported.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const neededMajor = 24
const modules = join(root, 'node_modules')
const ownBin = join(modules, '.bin')
// npm's own record of what it installed, written when it is done.
const record = join(modules, '.package-lock.json')

/** Installs what the lock file names and node_modules lacks. `dev` asks also for what only tests and checks need. */
export async function ensureInstalled({ dev }) {
  // A published package has no lock file: npm installed it whole.
  if (!existsSync(join(root, 'package-lock.json')) || isInstalled({ dev })) return
  const startedAt = Date.now()
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`
  console.error(`Installing packages${dev ? ', with those for tests' : ''}; this is needed once …`)
  const notes = setInterval(() => console.error(`  still installing, ${seconds()}`), 10_000)
  // Without a record an install was cut off, and npm would take a half-written package for a whole one.
  if (!existsSync(record)) rmSync(modules, { recursive: true, force: true })
  // Not `npm ci`: it refuses a lock file without the binaries of every platform, and a registry may lack some of them.
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const code = await runNpm(['install', '--no-save', ...quiet, ...(dev ? [] : ['--omit=dev'])])
  clearInterval(notes)
  if (code !== 0) {
    console.error('npm could not install the packages; its words are above. Is the package registry reachable?')
    process.exit(code)
  }
  console.error(`Installed in ${seconds()}.`)
}

/** Whether npm's record holds every package that the lock file wants here, at that version. */
function isInstalled({ dev }) {
  try {
    const packagesIn = (path) => JSON.parse(readFileSync(path, 'utf8')).packages
    const installed = packagesIn(record)
    return Object.entries(packagesIn(join(root, 'package-lock.json'))).every(([path, entry]) => {
      if (path === '' || entry.optional || entry.devOptional || (entry.dev && !dev)) return true
      return installed[path]?.version === entry.version
    })
  } catch {
    return false
  }
}

function runNpm(args) {
  const { npm_node_execpath: npmNode, npm_execpath: npmScript, PATH = '' } = process.env
  const [command, first] = npmNode && npmScript ? [npmNode, [npmScript]] : ['npm', []]
  // npm may replace the Node that npm scripts find first, so it must not run on that one.
  const path = PATH.split(delimiter).filter((folder) => folder !== ownBin)
  const env = { ...process.env, PATH: path.join(delimiter), NODE_ENV: '' }
  const child = spawn(command, [...first, ...args], { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] })
  return exitCode(child)
}

/** Runs a script on Node 24: in this process if it is one, else in a child that gets our signals and whose end is ours. */
export async function runOnNode24(script, args) {
  if (isNewEnough()) {
    process.argv.splice(1, process.argv.length, script, ...args)
    await import(pathToFileURL(script).href)
    return
  }
  const child = spawn(node24(), [script, ...args], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  process.exitCode = await exitCode(child)
}

/** The path of a Node 24: this one, or the one npm installed. */
export function node24() {
  if (isNewEnough()) return process.execPath
  const installed = join(ownBin, 'node')
  if (existsSync(installed)) return installed
  console.error(
    `Docent runs on Node ${neededMajor}. This is ${process.versions.node}, and npm has none for ${process.platform} ${process.arch}: install Node ${neededMajor} yourself.`,
  )
  process.exit(1)
}

function isNewEnough() {
  return Number(process.versions.node.split('.')[0]) >= neededMajor
}

export function exitCode(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 1)))
  })
}
