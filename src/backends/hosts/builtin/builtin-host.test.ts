import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { type BuiltinHost, createBuiltinHost } from './builtin-host.ts'

let root: string
let folder: string
let host: BuiltinHost
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'docent-host-'))
  folder = join(root, 'git')
  host = createBuiltinHost({ folder })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const hour = 3_600_000
const first = {
  branch: 'main',
  files: [{ path: 'index.mdx', content: '# Hello\n' }],
  message: 'Start\n',
  author: { name: 'Docent', email: 'docent@localhost' },
  date: new Date('2030-01-01T00:00:00Z'),
}

const repositoryOf = (id: string) => join(folder, `${id}.git`)
const show = (id: string, object: string) =>
  execFileSync('git', ['--git-dir', repositoryOf(id), 'show', object], { encoding: 'utf8' })

/** As if nobody had touched it for this long. */
function age(name: string, ms: number): void {
  const then = new Date(Date.now() - ms)
  utimesSync(join(folder, name), then, then)
}

test('a project gets a repository with its first commit, for this user alone', async () => {
  const id = newId('prj')
  await host.ensureRepository(id, first)
  expect(show(id, 'main:index.mdx')).toBe('# Hello\n')
  expect(readdirSync(folder)).toEqual([`${id}.git`])
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

test('a repository that is there is left as it is', async () => {
  const id = newId('prj')
  await host.ensureRepository(id, first)
  await host.ensureRepository(id, { ...first, branch: 'other', files: [{ path: 'index.mdx', content: 'changed' }] })
  expect(show(id, 'main:index.mdx')).toBe('# Hello\n')
  expect(() => show(id, 'other:index.mdx')).toThrow()
})

test('one whose making was interrupted is made anew', async () => {
  const id = newId('prj')
  mkdirSync(join(folder, `${id}.git.new`, 'objects'), { recursive: true })
  writeFileSync(join(folder, `${id}.git.new`, 'HEAD'), 'ref: refs/heads/half\n')
  await host.ensureRepository(id, first)
  expect(show(id, 'main:index.mdx')).toBe('# Hello\n')
  expect(readdirSync(folder)).toEqual([`${id}.git`])
})

test('one that cannot be made leaves nothing that passes for a repository', async () => {
  const id = newId('prj')
  const bad = { ...first, files: [{ path: '../escape', content: 'x' }] }
  await expect(host.ensureRepository(id, bad)).rejects.toMatchObject({ code: 'git.path_refused' })
  expect(existsSync(repositoryOf(id))).toBe(false)
  expect(existsSync(join(root, 'escape'))).toBe(false)
  await host.ensureRepository(id, first)
  expect(show(id, 'main:index.mdx')).toBe('# Hello\n')
})

test('many are made at once without disturbing each other', async () => {
  const ids = Array.from({ length: 5 }, () => newId('prj'))
  await Promise.all(
    ids.map((id) => host.ensureRepository(id, { ...first, files: [{ path: 'index.mdx', content: id }] })),
  )
  for (const id of ids) expect(show(id, 'main:index.mdx')).toBe(id)
})

test('deleting one deletes it alone, half-made ones too, and can be repeated', async () => {
  const [kept, deleted, half] = [newId('prj'), newId('prj'), newId('prj')]
  await host.ensureRepository(kept, first)
  await host.ensureRepository(deleted, first)
  mkdirSync(join(folder, `${half}.git.new`))
  for (const id of [deleted, deleted, half, half, newId('prj')]) await host.deleteRepository(id)
  expect(readdirSync(folder)).toEqual([`${kept}.git`])
})

test('the list has what nobody has touched for a while, each once, and nothing that is not ours', async () => {
  const [old, fresh, half, both] = [newId('prj'), newId('prj'), newId('prj'), newId('prj')]
  for (const id of [old, fresh, both]) await host.ensureRepository(id, first)
  for (const id of [half, both]) mkdirSync(join(folder, `${id}.git.new`))
  writeFileSync(join(folder, 'notes.txt'), 'not ours')
  mkdirSync(join(folder, 'lost+found'))
  for (const name of readdirSync(folder)) age(name, name.startsWith(fresh) ? 1000 : 2 * hour)
  expect((await host.listRepositories({ untouchedForMs: hour })).sort()).toEqual([old, half, both].sort())
  expect(await host.listRepositories({ untouchedForMs: 3 * hour })).toEqual([])
  expect((await host.listRepositories({ untouchedForMs: 0 })).sort()).toEqual([old, fresh, half, both].sort())
})

test('everything on the list is gone after it was deleted', async () => {
  const [whole, half] = [newId('prj'), newId('prj')]
  await host.ensureRepository(whole, first)
  mkdirSync(join(folder, `${half}.git.new`))
  for (const name of readdirSync(folder)) age(name, 1000)
  expect(await host.listRepositories({ untouchedForMs: 0 })).toHaveLength(2)
  for (const id of await host.listRepositories({ untouchedForMs: 0 })) await host.deleteRepository(id)
  expect(await host.listRepositories({ untouchedForMs: 0 })).toEqual([])
  expect(readdirSync(folder)).toEqual([])
})

test('what vanishes while the list is made does not break it', async () => {
  const ids = Array.from({ length: 30 }, () => newId('prj'))
  mkdirSync(folder)
  for (const id of ids) {
    mkdirSync(repositoryOf(id))
    age(`${id}.git`, 1000)
  }
  const [listed] = await Promise.all([
    host.listRepositories({ untouchedForMs: 0 }),
    ...ids.map((id) => host.deleteRepository(id)),
  ])
  expect(ids).toEqual(expect.arrayContaining(listed))
})

test('without any repository there is an empty list, and no folder is made for it', async () => {
  expect(await host.listRepositories({ untouchedForMs: 0 })).toEqual([])
  await host.deleteRepository(newId('prj'))
  expect(existsSync(folder)).toBe(false)
})
