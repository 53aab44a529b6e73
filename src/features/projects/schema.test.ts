import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { initBareRepository, writeFirstCommit } from '#infra/git/repository.ts'
import { isBranchName, isInnerPath, NewProject, NewSource } from './schema.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'docent-schema-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** What git itself says. */
const gitTakesBranch = (name: string) =>
  spawnSync('git', ['check-ref-format', '--branch', name], { cwd: root, stdio: 'ignore' }).status === 0

const messagesOf = (
  schema: { safeParse(value: unknown): { error?: { issues: { message: string }[] } | undefined } },
  value: unknown,
) => schema.safeParse(value).error?.issues.map(({ message }) => message) ?? []

describe('a branch name', () => {
  test.each([
    'main',
    'feature/x',
    'a/b/c',
    'release-1.2',
    'HEAD2',
    'a/HEAD',
    'a@b',
    'x@',
    'ünïcode',
    '😀',
    'a-',
    'a/-b',
    '_',
    'a{b',
    'x'.repeat(250),
  ])('%s is one', (name) => {
    expect(isBranchName(name)).toBe(true)
    expect(gitTakesBranch(name)).toBe(true)
  })

  test.each([
    '',
    '/',
    'a/',
    '/a',
    'a//b',
    '.a',
    'a/.b',
    'a.',
    'a..b',
    'a.lock',
    'a.lock/b',
    '-a',
    '--upload-pack=x',
    '@{-1}',
    'a@{b',
    'HEAD',
    'a b',
    'a~b',
    'a^b',
    'a:b',
    'a?b',
    'a*b',
    'a[b',
    'a\\b',
    'a\tb',
    'a\nb',
    'a\u007fb',
  ])('%j is none', (name) => {
    expect(isBranchName(name)).toBe(false)
    expect(gitTakesBranch(name)).toBe(false)
  })

  // Stricter than git, on purpose: HEAD by another name, characters nobody can type, and what no file system holds.
  test.each(['@', 'a\u0085b', 'x'.repeat(251), `ok/${'é'.repeat(126)}`])(
    '%j is none although git would take it',
    (name) => {
      expect(isBranchName(name)).toBe(false)
    },
  )

  test('is what git takes for one, whatever the text', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        'B',
        '1',
        '.',
        '..',
        '/',
        '//',
        '-',
        '@',
        '{',
        '@{',
        '}',
        '.lock',
        'lock',
        'HEAD',
        '~',
        '^',
        ':',
        '?',
        '*',
        '[',
        ']',
      ],
      ...[
        '\\',
        ' ',
        '\t',
        '\n',
        '\u007f',
        'é',
        '😀',
        '_',
        '$',
        '!',
        '#',
        '%',
        '&',
        '+',
        '=',
        '|',
        ';',
        "'",
        '"',
        '`',
        '<',
        '(',
        ',',
      ],
    )
    const text = fc.oneof(
      { weight: 4, arbitrary: fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join('')) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }) },
    )
    let taken = 0
    fc.assert(
      fc.property(text, (name) => {
        // No argument of a program can hold these; they are refused above.
        fc.pre(!name.includes('\0') && name !== '@' && !/[\u0080-\u009f]/.test(name))
        const ours = isBranchName(name)
        expect(ours, JSON.stringify(name)).toBe(gitTakesBranch(name))
        if (ours) taken++
      }),
      { numRuns: 400 },
    )
    expect(taken).toBeGreaterThan(20)
  }, 60_000)

  test('as long as may be is one that git can write', async () => {
    const gitDir = join(root, 'long.git')
    const branch = `${'é'.repeat(125)}`
    expect(isBranchName(branch)).toBe(true)
    await initBareRepository(gitDir, branch)
    await writeFirstCommit(gitDir, { ...first, branch, files: [{ path: 'a', content: 'a' }] })
  })
})

const first = {
  branch: 'main',
  message: 'm\n',
  author: { name: 'Docent', email: 'docent@localhost' },
  date: new Date('2030-01-01T00:00:00Z'),
}

describe('a path inside a repository', () => {
  test.each([
    '',
    'docs',
    'a/b/c',
    '.docs',
    'docs.',
    'a b',
    'ünï',
    '...',
    'a..b',
    '.gitignore',
    '.github/docs',
    'x.git',
    'git',
  ])('%j is one', (path) => {
    expect(isInnerPath(path)).toBe(true)
  })

  test.each([
    '/',
    '/docs',
    'docs/',
    'a//b',
    '.',
    '..',
    './a',
    'a/..',
    '../a',
    'a/../b',
    'a/./b',
    '.git',
    '.GIT',
    'a/.git/hooks',
    '.git ',
    '.git.',
    '.git::$INDEX_ALLOCATION',
    'git~1',
    'GIT~1',
    '.g\u200cit',
    '\ufeff.git',
    '.gitmodules',
    '.GitModules',
    'gitmod~1',
    'gi7eba~1',
    '.gitattributes',
    'a\\b',
    '..\\x',
    'a\nb',
    'a\0b',
    'a\u007fb',
    '\ud800',
    'x'.repeat(256),
    'é'.repeat(128),
  ])('%j is none', (path) => {
    expect(isInnerPath(path)).toBe(false)
  })

  const piece = fc.constantFrom(
    ...[
      'a',
      'docs',
      '.',
      '..',
      '/',
      '//',
      '\\',
      ' ',
      '.git',
      'GIT',
      'git~1',
      '~',
      '1',
      '.gitmodules',
      ':',
      '\u200c',
      '\ufeff',
      'é',
      '\t',
      '%2e',
      '\0',
    ],
  )
  const path = fc.oneof(
    fc.array(piece, { maxLength: 7 }).map((pieces) => pieces.join('')),
    fc.string({ unit: 'binary', maxLength: 20 }),
  )

  test('never leads out of it, nor into git’s own folder, however it is read', () => {
    let taken = 0
    fc.assert(
      fc.property(path, (text) => {
        if (!isInnerPath(text)) return
        taken++
        const full = posix.join('/repository', text)
        expect(full === '/repository' || full.startsWith('/repository/')).toBe(true)
        expect(posix.normalize(text || '.')).toBe(text || '.')
        expect(text.split('/').map((part) => part.toLowerCase())).not.toContain('.git')
        expect(text).not.toMatch(/[\\\0]/)
      }),
      { numRuns: 3000 },
    )
    expect(taken).toBeGreaterThan(100)
  })

  test('is one that git takes, and finds nothing wrong with', async () => {
    const gitDir = join(root, 'paths.git')
    await initBareRepository(gitDir, 'main')
    let branches = 0
    await fc.assert(
      fc.asyncProperty(
        path.filter((text) => isInnerPath(text)),
        async (text) => {
          const file = { path: text === '' ? 'index.mdx' : `${text}/index.mdx`, content: 'x' }
          await writeFirstCommit(gitDir, { ...first, branch: `b${branches++}`, files: [file] })
        },
      ),
      { numRuns: 60 },
    )
    const { status, stderr } = spawnSync('git', ['--git-dir', gitDir, 'fsck', '--full', '--strict'], {
      encoding: 'utf8',
    })
    expect(stderr).not.toContain('error')
    expect(status).toBe(0)
  })

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
      fc.property(path, (text) => {
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
