// Builds the dashboard into web/dist, unless what stands there was made from these same sources.
// Run: node_modules/.bin/node web/build.ts
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const folder = import.meta.dirname
const output = join(folder, 'dist')
/** Says which sources a build was made from. */
const stampOf = (build: string) => join(build, 'sources.txt')
const textTypes = new Set(['.html', '.js', '.css', '.svg', '.json'])

/** Whether web/dist is what these sources give. */
async function isBuilt(): Promise<boolean> {
  const stamp = await readFile(stampOf(output), 'utf8').catch(() => null)
  // An installed package or an image may have the build alone.
  return stamp !== null && (!existsSync(join(folder, 'src')) || stamp === (await fingerprint()))
}

async function buildDashboard(): Promise<void> {
  if (await isBuilt()) return
  const stamp = await fingerprint()
  // Beside its place, and moved there when it is whole: a build that is cut off leaves the one before.
  const made = await mkdtemp(join(folder, 'dist.new-'))
  try {
    const { build } = await import('vite')
    await build({
      configFile: join(folder, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: made, emptyOutDir: true },
    })
    await compress(made)
    await writeFile(stampOf(made), stamp)
    await rm(output, { recursive: true, force: true })
    await rename(made, output)
  } catch (error) {
    await rm(made, { recursive: true, force: true })
    // Another process may have been quicker; its build is as good.
    if (!(await isBuilt())) throw error
  }
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256')
  const names = await filesIn(folder, ['dist', 'dist.new'])
  for (const name of [...names.sort(), '../package-lock.json']) {
    hash.update(`${name}\0`).update(await readFile(join(folder, name)).catch(() => ''))
  }
  return hash.digest('hex')
}

/** Every text beside itself as .br and .gz, so that serving one costs nothing but a look. */
async function compress(build: string): Promise<void> {
  for (const name of await filesIn(build)) {
    if (!textTypes.has(extname(name))) continue
    const path = join(build, name)
    const bytes = await readFile(path)
    const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }))
    await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
  }
}

async function filesIn(base: string, except: string[] = []): Promise<string[]> {
  const entries = await readdir(base, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(base, join(entry.parentPath, entry.name)))
  return names.filter((name) => !except.some((prefix) => name.startsWith(prefix)))
}

if (import.meta.main) {
  // Whoever calls may be at tests, where React would be built for those.
  process.env.NODE_ENV = 'production'
  await buildDashboard()
}
