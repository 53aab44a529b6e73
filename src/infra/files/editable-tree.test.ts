import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blobId, createEditableTree } from './editable-tree.ts'
import type { FileTree } from './file-tree.ts'

/** A tree of these texts, in the order of paths. */
function treeOf(files: Record<string, string>): FileTree & { reads: string[]; isClosed: boolean } {
  const paths = Object.keys(files).sort((a, b) => (a < b ? -1 : 1))
  const tree = {
    reads: [] as string[],
    isClosed: false,
    entries: new Map(
      paths.map((path) => {
        const content = Buffer.from(files[path]!)
        return [path, { path, size: content.length, id: blobId(content) }]
      }),
    ),
    async read(path: string) {
      tree.reads.push(path)
      return Object.hasOwn(files, path) ? Buffer.from(files[path]!) : null
    },
    async [Symbol.asyncDispose]() {
      tree.isClosed = true
    },
  }
  return tree
}

describe('a tree with changes on top', () => {
  test('is the tree underneath until something changes', async () => {
    const base = treeOf({ 'a.md': 'a' })
    const tree = createEditableTree(base)
    expect(tree.entries).toBe(base.entries)
    expect(tree.base).toBe(base)
    expect(String(await tree.read('a.md'))).toBe('a')
    expect(tree.changes()).toEqual([])
  })

  test('has what was written, without what was deleted; the one underneath stays', async () => {
    const base = treeOf({ 'a.md': 'a', 'b.md': 'b' })
    const tree = createEditableTree(base)
    tree.write('c.md', Buffer.from('c'))
    tree.write('a.md', Buffer.from('A'))
    tree.delete('b.md')
    expect([...tree.entries.keys()]).toEqual(['a.md', 'c.md'])
    expect(tree.entries.get('a.md')).toEqual({ path: 'a.md', size: 1, id: blobId(Buffer.from('A')) })
    expect(await tree.read('b.md')).toBeNull()
    expect(String(await tree.read('a.md'))).toBe('A')
    expect([...base.entries.keys()]).toEqual(['a.md', 'b.md'])
    expect(String(await base.read('b.md'))).toBe('b')
  })

  test('knows a change that was taken back as none', () => {
    const tree = createEditableTree(treeOf({ 'a.md': 'a' }))
    tree.write('a.md', Buffer.from('x'))
    tree.write('a.md', Buffer.from('a'))
    tree.write('new.md', Buffer.from('n'))
    tree.delete('new.md')
    tree.delete('never.md')
    expect(tree.changes()).toEqual([])
  })

  test('leaves the tree underneath open', async () => {
    const base = treeOf({})
    await createEditableTree(base)[Symbol.asyncDispose]()
    expect(base.isClosed).toBe(false)
  })

  test('can lie on another such tree', async () => {
    const first = createEditableTree(treeOf({ 'a.md': 'a' }))
    first.write('b.md', Buffer.from('b'))
    const second = createEditableTree(first)
    second.delete('b.md')
    expect(second.changes()).toEqual([{ path: 'b.md', content: null }])
    expect([...first.entries.keys()]).toEqual(['a.md', 'b.md'])
  })

  test('is what a plain map would be, whatever is done to it', async () => {
    const path = fc.constantFrom('a', 'b', 'a/b', 'é', 'Z', '__proto__')
    const text = fc.constantFrom('', 'x', 'y')
    const step = fc.tuple(path, fc.option(text))
    await fc.assert(
      fc.asyncProperty(fc.dictionary(path, text, { noNullPrototype: false }), fc.array(step), async (files, steps) => {
        const base = treeOf(files)
        const tree = createEditableTree(base)
        const model = new Map<string, string>(Object.entries(files))
        for (const [at, content] of steps) {
          if (content === null) tree.delete(at)
          else tree.write(at, Buffer.from(content))
          if (content === null) model.delete(at)
          else model.set(at, content)
        }
        expect([...tree.entries.keys()]).toEqual([...model.keys()].sort())
        for (const [at, content] of model) {
          expect(String(await tree.read(at))).toBe(content)
          expect(tree.entries.get(at)).toMatchObject({ path: at, id: blobId(Buffer.from(content)) })
        }
        // Applied to what lies underneath, the changes give the same, and each of them is one.
        const applied = new Map<string, string>(Object.entries(files))
        for (const { path: at, content } of tree.changes()) {
          expect(content === null ? undefined : String(content)).not.toBe(applied.get(at))
          if (content === null) applied.delete(at)
          else applied.set(at, String(content))
        }
        expect([...applied].sort()).toEqual([...model].sort())
      }),
    )
  })
})
