import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyPath } from '#tests/harness/path-arbitrary.ts'
import { isBranchName, isInnerPath, isWritablePath } from './name-rules.ts'
import { initBareRepository, writeFirstCommit } from './repository.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'docent-names-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** What git itself says. */
const gitTakesBranch = (name: string) =>
  spawnSync('git', ['check-ref-format', '--branch', name], { cwd: root, stdio: 'ignore' }).status === 0

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

  test('never leads out of it, nor into git’s own folder, however it is read', () => {
    let taken = 0
    fc.assert(
      fc.property(anyPath, (text) => {
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
        anyPath.filter((text) => isInnerPath(text)),
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
})

test('a path that can be written may also be one that cannot be shown, but never git’s own folder', () => {
  for (const path of ['.gitattributes', '.gitmodules', 'new\nline', 'tab\t', 'a/b']) {
    expect(isWritablePath(path), JSON.stringify(path)).toBe(true)
  }
  for (const path of ['', '.git/x', 'a/.GIT', 'git~1', '.g\u200cit', '../a', 'a\\b', 'a\0']) {
    expect(isWritablePath(path), JSON.stringify(path)).toBe(false)
  }
})
