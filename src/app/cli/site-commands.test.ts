// Runs on PGlite alone: what the commands call is tested on both.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSiteStage, type SiteStage } from '#tests/harness/site-stage.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { testAdminKey } from '#tests/harness/test-config.ts'
import { runCli } from './cli.ts'

let it: TestApp
let url: string
let stage: SiteStage
let first: string
beforeAll(async () => {
  it = await createTestApp({ worker: true })
  url = await it.app.listen({ host: '127.0.0.1', port: 0 })
  stage = await createSiteStage(it, 'Docs')
  first = stage.head()
  stage.commit({ 'draft.mdx': '# Draft\n' }, { branch: 'feature/draft' })
})
afterAll(() => it.close())

async function run(...words: string[]) {
  const said = { out: '', error: '' }
  const stream = (name: 'out' | 'error') => ({ write: (text: string) => (said[name] += text) })
  const all = ['site', ...words, '--url', url, '--key', testAdminKey]
  const code = await runCli(all, { stdout: stream('out'), stderr: stream('error') })
  return { code, ...said }
}
const json = async (...words: string[]) => JSON.parse((await run(...words, '--json')).out)

describe('docent site', () => {
  test('shows a site that was never read', async () => {
    const { code, out } = await run('show')
    expect(code).toBe(0)
    expect(out).toContain('/sites/docs/')
    expect(out).toContain('nothing yet; the first reader publishes it')
  })

  test('deploys, and says how it goes on the way', async () => {
    const { code, out, error } = await run('deploy')
    expect([code, error]).toEqual([0, expect.stringMatching(/^ +[\d.]+ s {2}✓ is live$/m)])
    expect(out).toContain('state      live\n')
    expect(out).toContain(first)
    expect((await run('show')).out).toContain(`${first.slice(0, 10)} of main, 3 pages`)
  })

  test('lists deployments, shows one, and returns to it', async () => {
    stage.commit({ 'next.mdx': '# Next\n\n<Unknown />\n' })
    expect((await run('deploy', '--json')).code).toBe(0)
    const { deployments } = await json('deployments')
    expect(deployments).toHaveLength(2)
    const { out } = await run('deployments')
    expect(out).toMatch(new RegExp(`^${deployments[0].id} +live +manual`, 'm'))
    const shown = await run('deployments', deployments[0].id)
    expect(shown.out).toContain('\n+ /next\n')
    expect(shown.out).toMatch(/^next\.mdx:3 {2}.*Unknown/m)

    const restored = await json('restore', deployments[1].id)
    expect(restored).toMatchObject({ state: 'ready', reason: 'return', commit: first, isLive: true })
    expect((await json('restore', deployments[0].id, '--detach')).state).toBe('waiting')
  })

  test('has what cannot be deployed end with its exit code', async () => {
    const missing = await run('deploy', '--ref', 'missing')
    expect([missing.code, missing.error]).toEqual([4, expect.stringContaining('has no branch missing')])
    expect((await run('restore', 'dpl_x')).code).toBe(4)
    expect((await run('deploy', '--commit', 'zzz')).code).toBe(2)
  })

  test('shows what failed beside what readers get', async () => {
    const body = (docsPath: string) => ({ body: { source: { docsPath } } })
    expect((await it.call('PATCH', `/v1/projects/${stage.id}`, body('handbook'))).status).toBe(200)
    expect((await run('deploy')).code).toBe(1)
    expect((await run('show')).out).toMatch(/^failed +dpl_\w+: There is no folder handbook .* docsPath\.$/m)
    await it.call('PATCH', `/v1/projects/${stage.id}`, body(''))
    expect((await run('deploy')).code).toBe(0)
    expect((await run('show')).out).not.toContain('failed')
  })

  test('adds, lists and removes domains', async () => {
    expect((await run('domain', 'list')).out).toContain('docent site domain add')
    expect((await run('domain', 'add', 'Docs.Example.com')).out).toContain('docs.example.com')
    expect((await json('domain', 'list')).domains).toMatchObject([{ name: 'docs.example.com' }])
    expect((await run('show')).out).toContain('domain     docs.example.com')
    expect((await run('domain', 'add', 'docs.example.com')).code).toBe(5)
    expect((await run('domain', 'remove', 'docs.example.com')).out).toBe('Removed docs.example.com.\n')
    expect((await run('domain', 'remove', 'docs.example.com')).code).toBe(4)
  })

  test('makes links to previews', async () => {
    const { out } = await run('preview-link', '--ref', 'feature/draft', '--hours', '3')
    const [link] = out.split('\n')
    expect(link).toMatch(/\/previews\/docs\/feature~draft@\d+-[\w-]{43}\/$/)
    const path = link!.replace(/^https?:\/\/[^/]+/, '')
    expect((await it.call('GET', `${path}draft`, { key: null, remoteAddress: '203.0.113.1' })).status).toBe(200)
    for (const words of [[], ['--ref', 'a', '--commit', 'b'], ['--ref', 'a', '--hours', 'x']]) {
      expect((await run('preview-link', ...words)).code).toBe(2)
    }
  })
})
