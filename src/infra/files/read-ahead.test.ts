import { expect, test } from 'vitest'
import { memoryTree } from '#tests/harness/memory-tree.ts'
import type { FileTree } from './file-tree.ts'
import { readAhead } from './read-ahead.ts'

/** A tree that counts the reads which are under way together, of files that all have this size. */
function countingTree(names: string[], size: number): { tree: FileTree; most(): number; rounds(): number } {
  const content = Buffer.alloc(size)
  const entries = new Map(names.map((path) => [path, { path, size, id: path }]))
  let [underWay, most, rounds] = [0, 0, 0]
  const tree: FileTree = {
    entries,
    async read() {
      if (underWay === 0) rounds++
      most = Math.max(most, ++underWay)
      await new Promise((resolve) => setImmediate(resolve))
      underWay--
      return content
    },
    async [Symbol.asyncDispose]() {},
  }
  return { tree, most: () => most, rounds: () => rounds }
}

async function pathsOf(tree: FileTree, paths: string[]): Promise<string[]> {
  const found: string[] = []
  for await (const [path] of readAhead(tree, paths)) found.push(path)
  return found
}

test('files come in the order asked for, without those that are not there', async () => {
  const tree = memoryTree({ a: 'A', b: 'B', c: 'C' })
  const found: [string, string][] = []
  for await (const [path, content] of readAhead(tree, ['c', 'gone', 'a', 'a'])) found.push([path, String(content)])
  expect(found).toEqual([
    ['c', 'C'],
    ['a', 'A'],
    ['a', 'A'],
  ])
  expect(await pathsOf(tree, [])).toEqual([])
})

test('thousands of pages are asked for in a few rounds', async () => {
  const names = Array.from({ length: 5000 }, (_, index) => `${index}.mdx`)
  const { tree, rounds } = countingTree(names, 3_000)
  expect(await pathsOf(tree, names)).toEqual(names)
  expect(rounds()).toBeLessThan(30)
})

test('of large files only a few are in memory at once', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `${index}.json`)
  const { tree, most } = countingTree(names, 2_000_000)
  expect(await pathsOf(tree, names)).toEqual(names)
  expect(most()).toBeLessThanOrEqual(4)
})

test('a file that cannot be read is an error for whoever reads on, and for nobody else', async () => {
  const { tree } = countingTree(['a', 'b'], 5_000_000)
  const failing: FileTree = {
    ...tree,
    read: (path) => (path === 'b' ? Promise.reject(new Error('unreadable')) : tree.read(path)),
  }
  for await (const [path] of readAhead(failing, ['a', 'b'])) {
    expect(path).toBe('a')
    break
  }
  await expect(pathsOf(failing, ['a', 'b'])).rejects.toThrow('unreadable')
})
