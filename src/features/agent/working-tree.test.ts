import { describe, expect, test } from 'vitest'
import { memoryTree } from '#tests/harness/memory-tree.ts'
import { createWorkingTree } from './working-tree.ts'

const refusal = (path: string, options: { docsPath?: string; openPaths?: string[] } = {}) =>
  createWorkingTree(memoryTree({}), { docsPath: '', openPaths: [], ...options }).refusal(path)

describe('a path for an agent to write', () => {
  test.each([
    'index.mdx',
    'guides/setup.md',
    'docs.json',
    'images/a b.png',
    'é/ü.mdx',
    '.mintignore',
    'snippets/x.jsx',
  ])('is open: %s', (path) => expect(refusal(path)).toBeNull())

  test.each([
    '.github/workflows/ci.yml',
    '.GitHub/dependabot.yml',
    '.gitlab-ci.yml',
    'AGENTS.md',
    'guides/AGENTS.md',
    'claude.md',
    '.docent/AGENTS.md',
    'package-lock.json',
    'web/yarn.lock',
    'CODEOWNERS',
    '.husky/pre-commit',
  ])('is closed, as it does more than change docs: %s', (path) => expect(refusal(path)).toMatch(/read-only/))

  test.each([
    '',
    '/etc/passwd',
    '../x',
    'a/../b',
    './a',
    'a//b',
    '.git/config',
    '.GIT/config',
    'a/.git',
    'git~1',
    'a\\b',
    'a\0b',
    'a\nb',
  ])('is none: %j', (path) => expect(refusal(path)).toMatch(/no path inside the docs/))

  test('is closed where it counts from the repository’s root, also below a docs folder', () => {
    expect(refusal('workflows/ci.yml', { docsPath: '.github' })).toMatch(/read-only/)
  })

  test('is open where the project says so, and only there', () => {
    const openPaths = ['AGENTS.md', '.github/workflows']
    expect(refusal('AGENTS.md', { openPaths })).toBeNull()
    expect(refusal('.github/workflows/ci.yml', { openPaths })).toBeNull()
    expect(refusal('.github/workflows-old/ci.yml', { openPaths })).toMatch(/read-only/)
    expect(refusal('guides/AGENTS.md', { openPaths })).toMatch(/read-only/)
    expect(refusal('../x', { openPaths: ['..'] })).toMatch(/no path/)
  })
})
