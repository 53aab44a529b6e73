import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createLog } from '#base/log.ts'
import { createPageRenderer, type PageRenderer } from '#features/content/service.ts'
import { createGitCache } from '#infra/files/git-cache.ts'
import { initBareRepository } from '#infra/git/repository.ts'
import { importCommit } from '../../../../tests/harness/git-history.ts'
import { processesWith } from '../../../../tests/harness/processes.ts'
import { until } from '../../../../tests/harness/until.ts'
import type { Edition } from './edition.ts'
import { createEditions, type Editions } from './editions.ts'
import { siteFilePath } from './site-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'docent-editions-'))
const projectId = 'prj_a'
const renderer = createPageRenderer()
const opened: Editions[] = []
let now = new Date('2031-01-01T00:00:00Z')
let repositories = 0

beforeAll(() => renderer.prepare())
afterEach(async () => {
  for (const editions of opened.splice(0)) await editions.close()
})
afterAll(async () => {
  await renderer.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Counted {
  editions: Editions
  /** Paths of the pages that were parsed to find out about them, and to show them. */
  indexed: string[]
  rendered: string[]
  open(commit: string, options?: { signal?: AbortSignal; docsPath?: string }): Promise<Edition>
}

/** As after a start: nothing is in memory. */
function start(gitDir: string, sites = join(gitDir, '..', 'sites')): Counted {
  const indexed: string[] = []
  const rendered: string[] = []
  const counting: PageRenderer = {
    ...renderer,
    index(pages, options) {
      indexed.push(...pages.map(({ path }) => path))
      return renderer.index(pages, options)
    },
    render(page, options) {
      rendered.push(page.path)
      return renderer.render(page, options)
    },
  }
  const log = createLog({ level: 'silent', format: 'json', destination: { write() {} } })
  const clock = { now: () => now }
  const editions = createEditions({ folder: sites, renderer: counting, gitCache: createGitCache(), clock, log })
  opened.push(editions)
  const open: Counted['open'] = (commit, { docsPath = '', signal } = {}) =>
    editions.open({ projectId, gitDir, commit, docsPath, ...(signal ? { signal } : {}) })
  return { editions, indexed, rendered, open }
}

async function createRepository(): Promise<{ gitDir: string; commit: (files: Files, options?: Options) => string }> {
  const gitDir = join(folder, `r${++repositories}`, 'repository.git')
  await initBareRepository(gitDir, 'main')
  return {
    gitDir,
    commit(files, { deleted = [], seconds = 1_900_000_000 } = {}) {
      const list = Object.entries(files).map(([path, content]) => ({ path, content }))
      return importCommit(gitDir, 'main', { files: list, deleted, seconds })
    },
  }
}
type Files = Record<string, string | Buffer>
interface Options {
  deleted?: string[]
  seconds?: number
}

const pages: Files = {
  'docs.json': JSON.stringify({
    name: 'Docs',
    navigation: { groups: [{ group: 'Start', pages: ['index', 'install', 'hidden'] }] },
  }),
  'index.mdx': '---\ntitle: Welcome\nsidebarTitle: Home\n---\n\nGood morning.\n\n## Next steps\n\nRead on.\n',
  'install.mdx': 'import Note from "/snippets/note.mdx"\n\nRun the installer.\n\n<Note />\n',
  'hidden.mdx': '---\ntitle: Hidden\nhidden: true\n---\n\nThe installer of secrets.\n',
  'snippets/note.mdx': 'Needs an elephant.\n',
  'broken.mdx': '# Broken\n\n<Card>\n',
  'images/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  '.env': 'KEY=1',
}

const find = (edition: Edition, text: string) =>
  edition.search({ text, limit: 20, language: null, version: null }).map(({ route }) => route)
const filePath = (gitDir: string) => siteFilePath(join(gitDir, '..', 'sites'), projectId)

test('a commit becomes an edition: its pages by route, with titles, sections, warnings and words to find them by', async () => {
  const { gitDir, commit } = await createRepository()
  const id = commit(pages)
  const edition = await start(gitDir).open(id)
  expect(edition.id).toBe(id)
  expect([...edition.pages.keys()].sort()).toEqual(['/', '/broken', '/hidden', '/install'])
  expect(edition.pages.get('/')).toMatchObject({ title: 'Welcome', navigationTitle: 'Home', route: '/' })
  expect(edition.pages.get('/install')?.title).toBe('Install')
  expect(edition.pages.get('/')?.index.headings).toMatchObject([{ id: 'next-steps', title: 'Next steps' }])
  expect(edition.pages.get('/')?.index.sections.map(({ id: anchor, text }) => [anchor, text])).toEqual([
    [null, 'Good morning.'],
    ['next-steps', 'Read on.'],
  ])
  expect(edition.warnings.map(({ route }) => route)).toContain('/broken')
  expect(find(edition, 'installer')).toEqual(['/install'])
  expect(find(edition, 'elephant')).toEqual(['/install'])
})

test('after a restart a known commit is there again, and nothing of it is parsed', async () => {
  const { gitDir, commit } = await createRepository()
  const id = commit(pages)
  const first = start(gitDir)
  const before = await first.open(id)
  await before.render(before.pages.get('/install')!)
  await first.editions.close()

  const second = start(gitDir)
  const edition = await second.open(id)
  expect(find(edition, 'elephant')).toEqual(['/install'])
  expect(edition.pages.get('/')?.index.headings).toHaveLength(1)
  const rendered = await edition.render(edition.pages.get('/install')!)
  expect(JSON.stringify(rendered)).toContain('elephant')
  expect([...second.indexed, ...second.rendered]).toEqual([])
  expect(first.indexed.sort()).toEqual(['broken.mdx', 'hidden.mdx', 'index.mdx', 'install.mdx'])
})

test('of a push, only what changed is parsed; the edition before it answers as it did', async () => {
  const { gitDir, commit } = await createRepository()
  const { open, indexed } = start(gitDir)
  const before = await open(commit(pages))
  indexed.length = 0

  const changed = { 'index.mdx': '# Welcome\n\nGood evening.\n', 'snippets/note.mdx': 'Needs a giraffe.\n' }
  const after = await open(commit(changed, { deleted: ['broken.mdx'] }))
  expect(indexed.sort()).toEqual(['index.mdx', 'install.mdx'])
  expect([find(after, 'giraffe'), find(after, 'elephant'), find(after, 'evening')]).toEqual([['/install'], [], ['/']])
  expect([find(before, 'giraffe'), find(before, 'elephant'), find(before, 'morning')]).toEqual([
    [],
    ['/install'],
    ['/'],
  ])
  expect([find(before, 'broken'), find(after, 'broken')]).toEqual([['/broken'], []])
})

test('a page is rendered once, however many ask for it at the same time', async () => {
  const { gitDir, commit } = await createRepository()
  const { open, rendered } = start(gitDir)
  const edition = await open(commit(pages))
  const page = edition.pages.get('/install')!
  const results = await Promise.all([edition.render(page), edition.render(page), edition.render(page)])
  expect(rendered).toEqual(['install.mdx'])
  expect(JSON.stringify(results[0]!.html)).toContain('elephant')
})

test('a commit that is asked for by several at once is built once, and goes on when one of them gives up', async () => {
  const { gitDir, commit } = await createRepository()
  const { open, indexed } = start(gitDir)
  const id = commit(pages)
  const leaving = new AbortController()
  const left = open(id, { signal: leaving.signal })
  const others = [open(id), open(id)]
  leaving.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  const [one, other] = await Promise.all(others)
  expect(one).toBe(other)
  expect(indexed).toHaveLength(4)
})

test('a build that everybody gave up leaves nothing wrong behind', async () => {
  const { gitDir, commit } = await createRepository()
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`p${at}.mdx`, `# Page ${at}\n\nword${at}\n`]))
  const id = commit(many)
  const { open, editions } = start(gitDir)
  const leaving = new AbortController()
  const onProgress = () => leaving.abort(new Error('gone'))
  const build = editions.open({ projectId, gitDir, commit: id, docsPath: '', signal: leaving.signal, onProgress })
  await expect(build).rejects.toThrow('gone')
  const edition = await open(id)
  expect(edition.pages.size).toBe(300)
  expect(find(edition, 'word299')).toEqual(['/p299'])
})

test('search keeps to a language and a version, and shows nothing hidden', async () => {
  const { gitDir, commit } = await createRepository()
  const group = (label: string, names: string[], more = {}) => ({ group: label, pages: names, ...more })
  const languages = [
    {
      language: 'en',
      versions: [
        { version: 'v2', groups: [group('Start', ['en/v2/a'])] },
        { version: 'v1', groups: [group('Start', ['en/v1/a']), group('Secret', ['en/v1/b'], { hidden: true })] },
      ],
    },
    { language: 'de', groups: [group('Anfang', ['de/a'])] },
  ]
  const names = ['en/v2/a', 'en/v1/a', 'en/v1/b', 'de/a', 'outside']
  const files = Object.fromEntries(names.map((name) => [`${name}.mdx`, `---\ntitle: ${name}\n---\n\nThe elephant.\n`]))
  const docs = JSON.stringify({ name: 'Docs', navigation: { languages } })
  const edition = await start(gitDir).open(commit({ ...files, 'docs.json': docs }))
  const found = (language: string | null, version: string | null) =>
    edition
      .search({ text: 'elephant', limit: 20, language, version })
      .map(({ route }) => route)
      .sort()
  expect(found(null, null)).toEqual(['/de/a', '/en/v1/a', '/en/v2/a', '/outside'])
  expect(found('en', null)).toEqual(['/en/v1/a', '/en/v2/a', '/outside'])
  expect(found('en', 'v1')).toEqual(['/en/v1/a', '/outside'])
  expect(found('de', null)).toEqual(['/de/a', '/outside'])
  const all = edition.search({ text: 'elephant', limit: 20, language: null, version: null })
  expect(all.at(-1)?.route).toBe('/outside')
  expect(all.find(({ route }) => route === '/en/v1/a')?.trail).toEqual(['English', 'v1', 'Start'])
})

test('progress counts up to all pages, known ones included', async () => {
  const { gitDir, commit } = await createRepository()
  const { editions } = start(gitDir)
  const seen: { done: number; total: number }[] = []
  const input = { projectId, gitDir, docsPath: '', onProgress: (progress: (typeof seen)[0]) => seen.push(progress) }
  await editions.open({ ...input, commit: commit(pages) })
  expect(seen.at(-1)).toEqual({ done: 4, total: 4 })
  await editions.open({ ...input, commit: commit({ 'index.mdx': 'New.' }) })
  expect(seen.at(-1)).toEqual({ done: 4, total: 4 })
})

test('files that are no pages are served, others are not', async () => {
  const { gitDir, commit } = await createRepository()
  const large = randomBytes(6_000_000)
  const files = { 'docs/index.mdx': 'Hi', 'docs/video.mp4': large, 'docs/a.png': 'png', 'outside.png': 'png' }
  const edition = await start(gitDir).open(commit(files), { docsPath: 'docs' })
  expect(String(await edition.readAsset('a.png'))).toBe('png')
  expect(String(await edition.readAsset('/a.png'))).toBe('png')
  expect((await edition.readAsset('video.mp4'))?.equals(large)).toBe(true)
  const refused = ['index.mdx', '../outside.png', 'outside.png', 'none.png', '.env', '']
  for (const path of refused) expect(await edition.readAsset(path)).toBe(null)
})

test('the time of a page’s last change is found in the background, and from then on known', async () => {
  const { gitDir, commit } = await createRepository()
  const { open, editions } = start(gitDir)
  const first = await open(commit(pages, { seconds: 1_000 }))
  await until(() => first.updatedAt(first.pages.get('/')!))
  const id = commit({ 'index.mdx': 'New.' }, { seconds: 2_000 })
  const second = await open(id)
  const timeOf = (edition: Edition, route: string) => edition.updatedAt(edition.pages.get(route)!)?.getTime()
  await until(() => timeOf(second, '/'))
  expect([timeOf(second, '/'), timeOf(second, '/install')]).toEqual([2_000_000, 1_000_000])
  expect(timeOf(first, '/')).toBe(1_000_000)
  await editions.close()
  const again = await start(gitDir).open(id)
  await until(() => timeOf(again, '/'))
  expect(timeOf(again, '/install')).toBe(1_000_000)
})

test('no git runs on when nobody reads', async () => {
  const { gitDir, commit } = await createRepository()
  const edition = await start(gitDir).open(commit(pages))
  await until(() => edition.updatedAt(edition.pages.get('/')!))
  await until(() => processesWith(gitDir).length === 0)
  expect(String(await edition.readAsset('images/logo.svg'))).toContain('<svg')
})

test('two that share the file see each other’s work', async () => {
  const { gitDir, commit } = await createRepository()
  const [one, other] = [start(gitDir), start(gitDir)]
  const ids = [commit(pages), commit({ 'more.mdx': 'A zebra.' })]
  const built = await Promise.all([one.open(ids[0]!), other.open(ids[1]!)])
  expect(built.map((edition) => find(edition, 'zebra'))).toEqual([[], ['/more']])
  one.indexed.length = 0
  expect(find(await one.open(ids[1]!), 'zebra')).toEqual(['/more'])
  expect(one.indexed).toEqual([])
})

test('a commit or a folder that is not there is an error, and the next one is not affected', async () => {
  const { gitDir, commit } = await createRepository()
  const { open } = start(gitDir)
  await expect(open('0'.repeat(40))).rejects.toMatchObject({ kind: 'not_found' })
  const id = commit(pages)
  await expect(open(id, { docsPath: 'none' })).rejects.toMatchObject({ kind: 'not_found' })
  expect((await open(id)).pages.size).toBe(4)
})

test.each([
  ['is no database', (path: string) => writeFileSync(path, 'not a database')],
  ['is empty', (path: string) => truncateSync(path, 0)],
  ['ends in the middle', (path: string) => truncateSync(path, statSync(path).size / 2)],
  [
    'has other bytes from its second page on',
    (path: string) => {
      const bytes = readFileSync(path)
      randomBytes(bytes.length - 4096).copy(bytes, 4096)
      writeFileSync(path, bytes)
    },
  ],
])('a file that %s is made anew', async (_, spoil) => {
  const { gitDir, commit } = await createRepository()
  const id = commit(pages)
  const first = start(gitDir)
  await first.open(id)
  await first.editions.close()
  spoil(filePath(gitDir))

  const second = start(gitDir)
  const edition = await second.open(id)
  expect(await until(() => find(edition, 'elephant')[0])).toBe('/install')
  expect(edition.pages.size).toBe(4)
  expect(second.indexed.length).toBeGreaterThan(0)
})

test('a file that is spoilt while it is read is made anew behind the readers’ backs', async () => {
  const { gitDir, commit } = await createRepository()
  const { open, editions } = start(gitDir)
  const edition = await open(commit(pages))
  const path = filePath(gitDir)
  rmSync(`${path}-wal`, { force: true })
  const bytes = readFileSync(path)
  randomBytes(bytes.length - 4096).copy(bytes, 4096)
  writeFileSync(path, bytes)
  await until(() => find(edition, 'elephant')[0] === '/install')
  expect((await edition.render(edition.pages.get('/')!)).html.parts.length).toBeGreaterThan(0)
  expect(edition.pages.get('/')?.index.headings).toHaveLength(1)
  await editions.close()
})

test('the file of an older version of us is thrown away, that of another project is not', async () => {
  const { gitDir, commit } = await createRepository()
  const sites = join(gitDir, '..', 'sites')
  mkdirSync(sites)
  for (const name of ['prj_a.v0.sqlite', 'prj_a.v0.sqlite-wal', 'prj_b.v0.sqlite']) writeFileSync(join(sites, name), '')
  await start(gitDir).open(commit(pages))
  expect(readdirSync(sites).filter((name) => name.includes('.v0.'))).toEqual(['prj_b.v0.sqlite'])
})

test('a file that somebody deletes does no harm to those who read it', async () => {
  const { gitDir, commit } = await createRepository()
  const { open, indexed } = start(gitDir)
  const edition = await open(commit(pages))
  rmSync(join(gitDir, '..', 'sites'), { recursive: true })
  expect(find(edition, 'elephant')).toEqual(['/install'])
  const next = await open(commit({ 'index.mdx': 'A zebra.' }))
  expect([find(next, 'zebra'), find(edition, 'elephant')]).toEqual([['/'], ['/install']])
  expect(indexed).toHaveLength(5)
})

test('work that is killed at any moment is taken up by the next start', async () => {
  const { gitDir, commit } = await createRepository()
  const many = Object.fromEntries(
    Array.from({ length: 400 }, (_, at) => [`p${at}.mdx`, `# Page ${at}\n\nword${at} ${'some text '.repeat(50)}\n`]),
  )
  const id = commit(many)
  const sites = join(gitDir, '..', 'sites')
  for (const share of [0.25, 0.6, 1]) await buildAndKill({ gitDir, commit: id, sites, pages: share * 400 })
  const { open, indexed } = start(gitDir)
  const edition = await open(id)
  expect(indexed.length).toBeLessThan(400)
  expect(edition.pages.size).toBe(400)
  for (const at of [0, 123, 250, 399]) expect(find(edition, `word${at}`)).toEqual([`/p${at}`])
})

/** Another process that builds the edition, and is killed when so many pages are done. */
async function buildAndKill(input: { gitDir: string; commit: string; sites: string; pages: number }): Promise<void> {
  const moduleOf = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
  const { gitDir, commit, sites } = input
  const code = `
    import { createEditions } from ${moduleOf('./editions.ts')}
    import { createPageRenderer } from ${moduleOf('../../content/service.ts')}
    import { createGitCache } from ${moduleOf('../../../infra/files/git-cache.ts')}
    import { createLog } from ${moduleOf('../../../base/log.ts')}
    const log = createLog({ level: 'silent', format: 'json', destination: process.stderr })
    const clock = { now: () => new Date('2031-01-01') }
    const renderer = createPageRenderer()
    const editions = createEditions({ folder: ${JSON.stringify(sites)}, renderer, gitCache: createGitCache(), clock, log })
    console.log(0)
    await editions.open({
      ...${JSON.stringify({ projectId, gitDir, commit, docsPath: '' })},
      onProgress: ({ done }) => console.log(done),
    })
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  let done = 0
  for await (const chunk of child.stdout) {
    done = Math.max(...String(chunk).trim().split('\n').map(Number))
    if (done >= input.pages) break
  }
  child.kill('SIGKILL')
  await ended
  expect(done).toBeGreaterThanOrEqual(input.pages)
}

test('what no edition needs any more is let go, and what is in use is kept', async () => {
  const { gitDir, commit } = await createRepository()
  const first = start(gitDir)
  const live = commit({ 'live.mdx': 'Live elephant.' })
  await first.open(live)
  const old = commit({ 'old.mdx': 'Old.' }, { deleted: ['live.mdx'] })
  const other = start(gitDir)
  await other.open(old)
  await other.editions.close()
  for (let at = 0; at < 9; at++) {
    now = new Date(now.getTime() + 3 * 3_600_000)
    await first.open(commit({ 'old.mdx': `New ${at}.` }))
  }
  await first.editions.close()
  const { indexed, open } = start(gitDir)
  await open(live)
  expect(indexed).toEqual([])
  await open(old)
  expect(indexed).toEqual(['old.mdx'])
})

test('a project that is removed leaves no file behind', async () => {
  const { gitDir, commit } = await createRepository()
  const { editions, open } = start(gitDir)
  const id = commit(pages)
  const edition = await open(id)
  await editions.remove(projectId)
  expect(readdirSync(join(gitDir, '..', 'sites'))).toEqual([])
  // Somebody may still be reading it.
  await edition.render(edition.pages.get('/')!)
  await sleep(50)
  expect(readdirSync(join(gitDir, '..', 'sites'))).toEqual([])
  expect(existsSync(filePath(gitDir))).toBe(false)
  expect((await open(id)).pages.size).toBe(4)
})
