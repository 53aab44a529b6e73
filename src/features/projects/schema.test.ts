import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isInnerPath } from '#infra/git/name-rules.ts'
import { anyPath } from '#tests/harness/path-arbitrary.ts'
import { NewProject, NewSource } from './schema.ts'

const messagesOf = (
  schema: { safeParse(value: unknown): { error?: { issues: { message: string }[] } | undefined } },
  value: unknown,
) => schema.safeParse(value).error?.issues.map(({ message }) => message) ?? []

describe('a docs folder', () => {
  test.each([
    ['docs', 'docs'],
    ['/docs/', 'docs'],
    ['./docs', 'docs'],
    ['  docs  ', 'docs'],
    ['.', ''],
    ['/', ''],
    ['./', ''],
    ['', ''],
    ['packages/app/docs//', 'packages/app/docs'],
  ])('written as %j is %j', (written, expected) => {
    expect(NewSource.parse({ provider: 'builtin', docsPath: written }).docsPath).toBe(expected)
  })

  test('is still one after it was tidied up, or refused', () => {
    fc.assert(
      fc.property(anyPath, (text) => {
        const parsed = NewSource.safeParse({ provider: 'builtin', docsPath: text })
        if (parsed.success) expect(isInnerPath(parsed.data.docsPath!)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a new project', () => {
  test('needs a name only', () => {
    expect(NewProject.parse({ name: '  Docs  ' })).toEqual({ name: 'Docs' })
  })

  test('takes everything else when it is right, and leaves out what it does not know', () => {
    const source = {
      provider: 'gitlab',
      repository: 'acme/docs',
      ref: 'main',
      docsPath: 'docs',
      apiUrl: 'https://git.example.com/api/v4',
      token: 'glpat-x',
    }
    const given = { name: 'Docs', source: { ...source, more: 1 }, model: 'builtin/editor', admin: true }
    expect(NewProject.parse(given)).toEqual({ name: 'Docs', source, model: 'builtin/editor' })
  })

  test.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'a\0b' }, 'name'],
    [{ name: '\ud800' }, 'name'],
    [{ name: 5 }, 'name'],
    [{ name: 'x', source: {} }, 'source.provider'],
    [{ name: 'x', source: { provider: 'svn' } }, 'source.provider'],
    [{ name: 'x', source: { provider: 'builtin', ref: 'a..b' } }, 'source.ref'],
    [{ name: 'x', source: { provider: 'builtin', docsPath: '../x' } }, 'source.docsPath'],
    [{ name: 'x', source: { provider: 'github', repository: '' } }, 'source.repository'],
    [{ name: 'x', source: { provider: 'github', apiUrl: 'ftp://x' } }, 'source.apiUrl'],
    [{ name: 'x', source: { provider: 'github', apiUrl: 'https://u:p@x' } }, 'source.apiUrl'],
    [{ name: 'x', source: { provider: 'github', token: 'with space' } }, 'source.token'],
    [{ name: 'x', source: { provider: 'github', token: '' } }, 'source.token'],
    [{ name: 'x', source: { provider: 'github', token: 'line\nbreak' } }, 'source.token'],
    [{ name: 'x', model: 'gpt' }, 'model'],
  ])('%j is refused for its %s', (value, path) => {
    const issues = NewProject.safeParse(value).error?.issues ?? []
    expect(issues.map((issue) => issue.path.join('.'))).toContain(path)
  })

  test('that is refused for its token does not repeat it', () => {
    const messages = messagesOf(NewProject, { name: 'x', source: { provider: 'github', token: 'hunter2 hunter2' } })
    expect(messages).toEqual(['expected printable characters without spaces'])
  })
})
