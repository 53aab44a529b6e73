import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { blobId } from './editable-tree.ts'
import { mostFileBytes } from './file-tree.ts'
import { openFolderTree } from './folder-tree.ts'

let root: string
let folder: string
let count = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'docent-folder-'))
})
beforeEach(() => {
  folder = join(root, `${count++}`)
  mkdirSync(folder)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
}

describe('the tree of a folder', () => {
  test('has its files with their sizes and ids, in the order of paths', async () => {
    for (const path of ['b.md', 'a/c.md', 'a.md', 'Z.md']) put(path, path)
    await using tree = await openFolderTree(folder)
    expect([...tree.entries.keys()]).toEqual(['Z.md', 'a.md', 'a/c.md', 'b.md'])
    expect(tree.entries.get('a/c.md')).toEqual({ path: 'a/c.md', size: 6, id: blobId(Buffer.from('a/c.md')) })
    expect(String(await tree.read('a/c.md'))).toBe('a/c.md')
    expect(await tree.read('missing')).toBeNull()
  })

  test('has nothing of git’s own, of packages, behind links, or with a name that cannot be shown', async () => {
    put('a.md', 'a')
    put('.git/config', 'x')
    put('docs/.git', 'gitdir: elsewhere')
    put('node_modules/x/README.md', 'x')
    put('new\nline.md', 'x')
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x78, 0xff])]), 'not UTF-8')
    symlinkSync('/etc/passwd', join(folder, 'passwd.md'))
    symlinkSync('/etc', join(folder, 'etc'))
    symlinkSync('.', join(folder, 'loop'))
    await using tree = await openFolderTree(folder)
    expect([...tree.entries.keys()]).toEqual(['a.md'])
  })

  test('is not left by any path', async () => {
    put('docs/a.md', 'a')
    put('secret.md', 'secret')
    await using tree = await openFolderTree(join(folder, 'docs'))
    for (const path of ['../secret.md', '/etc/passwd', './a.md', '', '.', '..'])
      expect(await tree.read(path)).toBeNull()
  })

  test('lists a file that is too large, and does not open it', async () => {
    put('large.bin', Buffer.alloc(mostFileBytes + 1))
    put('largest.bin', Buffer.alloc(mostFileBytes))
    await using tree = await openFolderTree(folder)
    expect(tree.entries.get('large.bin')?.size).toBe(mostFileBytes + 1)
    await expect(tree.read('large.bin')).rejects.toMatchObject({ kind: 'too_large', code: 'file.too_large' })
    expect(await tree.read('largest.bin')).toHaveLength(mostFileBytes)
  })

  // Files that not even root can read; where there are none such, nothing is there to be tried.
  test.runIf(existsSync('/proc/self/clear_refs'))(
    'of a folder with a file that cannot be read says which',
    async () => {
      await expect(openFolderTree('/proc/self')).rejects.toMatchObject({
        kind: 'invalid',
        code: 'folder.unreadable',
        message: expect.stringMatching(/^\/proc\/self\/.+ cannot be read \(E\w+\)/),
      })
    },
  )

  test('of a folder that is not there, or is a file, is not found', async () => {
    put('file', 'x')
    for (const path of ['missing', 'file']) {
      await expect(openFolderTree(join(folder, path))).rejects.toMatchObject({
        kind: 'not_found',
        code: 'folder.not_found',
      })
    }
  })
})
