import { expect, test } from 'vitest'
import { hostDepsOf } from '#tests/harness/hosts/vendor-fixture.ts'
import type { HostFactory } from './host-factory.ts'
import { hosts } from './hosts.ts'

const vendors: Record<string, HostFactory> = {
  github: hosts.github,
  gitlab: hosts.gitlab,
  gitea: hosts.gitea,
  bitbucket: hosts.bitbucket,
}

test.each([
  ['github', 'https://github.com/acme/docs', null, 'https://api.github.com/repos/acme/docs'],
  ['github', 'https://github.com/acme/docs', 'https://api.github.com/', 'https://api.github.com/repos/acme/docs'],
  ['github', 'https://acme.ghe.com/acme/docs', null, 'https://api.acme.ghe.com/repos/acme/docs'],
  ['github', 'https://git.acme.com/acme/docs', null, 'https://git.acme.com/api/v3/repos/acme/docs'],
  [
    'github',
    'https://git.acme.com/acme/docs',
    'https://git.acme.com/api/v3',
    'https://git.acme.com/api/v3/repos/acme/docs',
  ],
  ['gitlab', 'https://gitlab.com/acme/web/docs', null, 'https://gitlab.com/api/v4/projects/acme%2Fweb%2Fdocs'],
  [
    'gitlab',
    'https://git.acme.com/gitlab/acme/docs',
    'https://git.acme.com/gitlab/api/v4',
    'https://git.acme.com/gitlab/api/v4/projects/acme%2Fdocs',
  ],
  ['gitlab', 'https://git.acme.com/a/b', 'https://git.acme.com', 'https://git.acme.com/api/v4/projects/a%2Fb'],
  ['gitea', 'https://codeberg.org/acme/docs', null, 'https://codeberg.org/api/v1/repos/acme/docs'],
  ['gitea', 'https://acme.com/git/acme/docs', null, 'https://acme.com/git/api/v1/repos/acme/docs'],
  [
    'gitea',
    'https://acme.com/git/acme/docs',
    'https://acme.com/git/api/v1/',
    'https://acme.com/git/api/v1/repos/acme/docs',
  ],
  ['bitbucket', 'https://bitbucket.org/acme/docs', null, 'https://api.bitbucket.org/2.0/repositories/acme/docs'],
])('%s asks about %s (API %s) at %s', async (provider, repository, apiUrl, expected) => {
  const asked: string[] = []
  const fetch = async (url: URL | string | Request) => {
    asked.push(String(url))
    return new Response('{}', { status: 404 })
  }
  const host = vendors[provider]!({ projectId: 'prj_1', repository, apiUrl, token: 't' }, { ...hostDepsOf(), fetch })
  await expect(host.getRepository()).rejects.toMatchObject({ code: 'host.repository_not_found' })
  expect(asked).toEqual([expected])
})
