import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DocentError } from '#base/errors.ts'
import { parseRepositoryUrl } from './repository-url.ts'
import { type Provider, providers } from './schema.ts'

const parse = (provider: Provider, repository: string, apiUrl: string | null = null) =>
  parseRepositoryUrl({ provider, repository, apiUrl })

describe('a repository', () => {
  test.each<[Provider, string, string]>([
    ['github', 'acme/docs', 'https://github.com/acme/docs'],
    ['github', 'acme/docs.git', 'https://github.com/acme/docs'],
    ['github', 'acme/docs/', 'https://github.com/acme/docs'],
    ['github', 'acme/docs.git//', 'https://github.com/acme/docs'],
    ['github', 'Acme/my.docs_2-x', 'https://github.com/Acme/my.docs_2-x'],
    ['github', 'acme/.github', 'https://github.com/acme/.github'],
    ['github', 'github.com/acme/docs', 'https://github.com/acme/docs'],
    ['github', 'https://github.com/acme/docs', 'https://github.com/acme/docs'],
    ['github', 'https://github.com/acme/docs.git', 'https://github.com/acme/docs'],
    ['github', 'HTTPS://GitHub.com/acme/docs/', 'https://github.com/acme/docs'],
    ['github', 'http://git.internal:8080/acme/docs', 'http://git.internal:8080/acme/docs'],
    ['github', 'https://git.internal/folder/acme/docs', 'https://git.internal/folder/acme/docs'],
    ['gitlab', 'group/docs', 'https://gitlab.com/group/docs'],
    ['gitlab', 'group/sub/deeper/docs', 'https://gitlab.com/group/sub/deeper/docs'],
    ['gitlab', 'my.group/sub/docs', 'https://gitlab.com/my.group/sub/docs'],
    ['gitlab', 'gitlab.com/group/sub/docs', 'https://gitlab.com/group/sub/docs'],
    ['gitlab', 'https://gitlab.com/group/sub/docs.git', 'https://gitlab.com/group/sub/docs'],
    ['bitbucket', 'team/docs', 'https://bitbucket.org/team/docs'],
    ['gitea', 'https://codeberg.org/acme/docs', 'https://codeberg.org/acme/docs'],
    ['gitea', 'https://example.com/gitea/acme/docs', 'https://example.com/gitea/acme/docs'],
  ])('of %s written as %s is %s', (provider, written, url) => {
    expect(parse(provider, written)).toBe(url)
  })

  test.each<[Provider, string, string, string]>([
    ['github', 'acme/docs', 'https://git.example.com/api/v3', 'https://git.example.com/acme/docs'],
    ['github', 'acme/docs', 'https://api.github.com', 'https://github.com/acme/docs'],
    ['github', 'acme/docs', 'https://api.github.com/', 'https://github.com/acme/docs'],
    ['bitbucket', 'team/docs', 'https://api.bitbucket.org/2.0', 'https://bitbucket.org/team/docs'],
    ['gitlab', 'group/sub/docs', 'https://example.com/gitlab/api/v4', 'https://example.com/gitlab/group/sub/docs'],
    ['gitlab', 'group/docs', 'https://gitlab.com/api/v4', 'https://gitlab.com/group/docs'],
    ['gitea', 'acme/docs', 'http://127.0.0.1:3000/api/v1/', 'http://127.0.0.1:3000/acme/docs'],
    ['gitea', 'acme/docs', 'https://codeberg.org', 'https://codeberg.org/acme/docs'],
    ['gitea', 'https://codeberg.org/acme/docs', 'https://other.example/api/v1', 'https://codeberg.org/acme/docs'],
  ])('of %s written as %s with the API at %s is %s', (provider, written, apiUrl, url) => {
    expect(parse(provider, written, apiUrl)).toBe(url)
  })

  test.each<[Provider, string, string]>([
    ['github', 'docs', 'expected owner/name'],
    ['github', '', 'expected owner/name'],
    ['github', 'acme/docs/tree/main', 'expected owner/name'],
    ['github', 'https://github.com/acme/docs/tree/main', 'expected owner/name'],
    ['github', 'https://github.com/acme', 'expected owner/name'],
    ['github', 'https://github.com', 'expected owner/name'],
    ['github', 'https://github.com/acme/docs?tab=readme', 'expected owner/name'],
    ['github', 'https://github.com/acme/docs#readme', 'expected owner/name'],
    ['github', 'acme/..', 'expected owner/name'],
    ['github', '../docs', 'expected owner/name'],
    ['github', 'acme/...git', 'expected owner/name'],
    ['github', 'acme/..git', 'expected owner/name'],
    ['github', './.git', 'expected owner/name'],
    ['gitlab', 'group/../other/docs', 'expected owner/name'],
    ['github', 'https:///acme/docs/x', 'expected owner/name'],
    ['github', 'https:acme/docs/x', 'expected owner/name'],
    ['github', 'https:\\\\github.com\\acme\\docs', 'expected owner/name'],
    ['github', 'https://github.com/acme/docs?', 'expected owner/name'],
    ['github', 'https://github.com/acme/docs#', 'expected owner/name'],
    ['github', 'https://./acme/docs', 'expected owner/name'],
    ['github', 'https://github.com/ac\nme/docs', 'expected owner/name'],
    ['github', 'acme docs/x', 'expected owner/name'],
    ['github', 'acme/döcs', 'expected owner/name'],
    ['github', 'acme\\docs', 'expected owner/name'],
    ['github', 'acme/docs\n', 'expected owner/name'],
    ['github', 'git@github.com:acme/docs.git', 'found "git@github.com:acme/docs.git"'],
    ['github', 'ssh://git@github.com/acme/docs.git', 'found ssh://'],
    ['github', 'git://github.com/acme/docs', 'found git://'],
    ['github', 'file:///etc/passwd', 'found file://'],
    ['github', 'javascript:alert(1)', 'found javascript:'],
    ['github', 'https://user:hunter2@github.com/acme/docs', 'without a user name or password; use token'],
    ['github', 'https://ghp_x@github.com/acme/docs', 'without a user name or password; use token'],
    ['gitea', 'acme/docs', 'gitea has no public host, so give the full URL or apiUrl'],
  ])('of %s written as %j is refused: %s', (provider, written, reason) => {
    let error: unknown
    try {
      parse(provider, written)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(DocentError)
    expect(error).toMatchObject({ kind: 'invalid', code: 'request.invalid', details: [{ path: 'source.repository' }] })
    expect((error as DocentError).message).toContain(reason)
    expect((error as DocentError).message).not.toContain('hunter2')
  })
})

test('whatever is taken is one plain web address, stays below its host, and is taken again as the same', () => {
  const odd = fc.constantFrom(
    '.',
    '..',
    '.git',
    '',
    '%2e%2e',
    '%2F',
    'ü',
    ' ',
    '@',
    ':',
    '?x',
    '#y',
    '\\',
    'x.git',
    '...git',
  )
  const piece = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('acme', 'docs', 'a.b', '_-') },
    { weight: 1, arbitrary: odd },
  )
  const free = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join('/'))
  const full = fc
    .tuple(
      fc.constantFrom('https://', 'http://', 'HTTPS://', 'ssh://', '//', ''),
      fc.constantFrom('h.example', 'u:p@h', 'h:81', ''),
      free,
    )
    .map(([scheme, host, path]) => `${scheme}${host}/${path}`)
  const text = fc.oneof(free, full, fc.string(), fc.webUrl({ withQueryParameters: true, withFragments: true }))
  let taken = 0
  fc.assert(
    fc.property(
      fc.constantFrom(...providers),
      text,
      fc.constantFrom(null, 'https://git.example.com/api/v3'),
      (provider, repository, apiUrl) => {
        let url: string
        try {
          url = parse(provider, repository, apiUrl)
        } catch (error) {
          expect(error).toMatchObject({ code: 'request.invalid' })
          return
        }
        taken++
        expect(url).toMatch(/^https?:\/\/[^/@?#\\\s]+(\/[\w.-]+){2,}$/)
        expect(new URL(url).href).toBe(url)
        expect(url.split('/').some((part) => part === '.' || part === '..')).toBe(false)
        expect(parse(provider, url, apiUrl)).toBe(url)
      },
    ),
    { numRuns: 2000 },
  )
  expect(taken).toBeGreaterThan(50)
})
