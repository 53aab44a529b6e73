// The pages Site and Settings against a real server: what people publish, and what they set.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  accessibilityFaults,
  type DashboardStage,
  openDashboardStage,
  scrollsSideways,
} from '../../harness/dashboard-stage.ts'
import { startGiteaServer } from '../../harness/hosts/gitea-server.ts'
import type { VendorServer } from '../../harness/hosts/vendor-server.ts'
import { startOpenAiServer } from '../../harness/models/openai-server.ts'
import type { ModelServer, Reply } from '../../harness/models/scripted-server.ts'
import { type Receiver, startReceiver } from '../../harness/receiver.ts'
import { chromiumPath } from '../../harness/system-programs.ts'
import { testAdminKey } from '../../harness/test-config.ts'
import { until } from '../../harness/until.ts'

const run = promisify(execFile)
const modelKey = 'sk-model-key-that-stays-on-the-server'

// What pages do does not depend on the database.
describe.skipIf(!chromiumPath || inject('engine') !== 'pglite')('the pages Site and Settings', () => {
  let stage: DashboardStage
  let model: ModelServer
  let vendor: VendorServer
  let receiver: Receiver
  let reply: Reply = { text: 'ready' }
  let clone: string
  /** A project whose repository is at a host with a token. */
  let remoteId: string

  beforeAll(async () => {
    model = await startOpenAiServer(() => reply)
    vendor = await startGiteaServer()
    await vendor.repository.commitTo('trunk', { 'index.mdx': '---\ntitle: Start\n---\n\nHello.\n' })
    receiver = await startReceiver()
    clone = await mkdtemp(join(tmpdir(), 'docent-clone-'))
    stage = await openDashboardStage({ modelBaseUrl: model.url, modelApiKey: modelKey, webhookAllowPrivate: true })
    const { repositoryUrl: repository, apiUrl, token } = vendor
    remoteId = (
      await api('POST', '/v1/projects', { name: 'Elsewhere', source: { provider: 'gitea', repository, apiUrl, token } })
    ).id
  }, 120_000)
  afterAll(async () => {
    await stage?.close()
    await receiver?.close()
    await vendor?.[Symbol.asyncDispose]()
    await model?.[Symbol.asyncDispose]()
    await rm(clone, { recursive: true, force: true })
  })

  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
  async function api(method: string, path: string, body?: object): Promise<any> {
    const headers = body ? { 'content-type': 'application/json' } : {}
    const response = await stage.server.fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${response.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }

  async function push(branch: string, files: Record<string, string>): Promise<void> {
    const git = (...args: string[]) => run('git', ['-C', clone, '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args])
    const address = new URL((await api('GET', `/v1/projects/${stage.projectId}`)).source.repository)
    address.username = 'x'
    address.password = testAdminKey
    await git('init', '-q', '-b', 'main')
    await git('fetch', '-q', address.href, 'main')
    await git('reset', '-q', '--hard', 'FETCH_HEAD')
    for (const [path, text] of Object.entries(files)) await writeFile(join(clone, path), text)
    await git('add', '.')
    await git('commit', '-q', '-m', 'Write')
    await git('push', '-q', address.href, `HEAD:refs/heads/${branch}`)
  }

  const sitePage = () => stage.open(`/p/${stage.projectId}/site`)
  const deployments = (page: Page) => page.getByRole('list', { name: 'Deployments' }).locator('> li')
  const newPage = '---\ntitle: News\n---\n\nFresh words. <Unheard>of</Unheard>\n'

  test('publishing now is seen to be live without reloading the page', async () => {
    const page = await sitePage()
    await page.getByRole('button', { name: 'Publish now' }).click()
    const first = deployments(page).first()
    await first.getByText(/By hand, by Olga Owner/).waitFor()
    await first.getByText('Live', { exact: true }).waitFor()
    const { live } = await api('GET', `/v1/projects/${stage.projectId}/site`)
    const card = page.locator('section', { has: page.getByRole('heading', { name: 'Live now' }) })
    await card.getByText(live.commit.slice(0, 10)).waitFor()
    expect(await card.textContent()).toContain(`${live.pages} pages`)
    await page.close()
  })

  test('a push shows what it changed and warned of, and can be taken back after a question', async () => {
    await push('main', { 'news.mdx': newPage })
    const site = `/sites/demo/news`
    await until(async () => ((await stage.server.fetch(site)).status === 200 ? true : null))
    const page = await sitePage()
    const first = deployments(page).first()
    await first.getByText('After a push').waitFor()
    expect(await first.textContent()).toContain('1 added')
    await first.getByRole('button', { name: /^Details/ }).click()
    await first.getByText('/news', { exact: true }).waitFor()
    await first.getByText(/^Warnings: \d/).click()
    await first
      .getByText(/news\.mdx:\d+/)
      .first()
      .waitFor()
    await first
      .getByText(/Unheard/)
      .first()
      .waitFor()

    await deployments(page)
      .nth(1)
      .getByRole('button', { name: /^Restore/ })
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Cancel')
    await dialog.getByRole('button', { name: 'Restore it' }).click()
    await first.getByText(/Return to an earlier one, by Olga Owner/).waitFor()
    await first.getByText('Live', { exact: true }).waitFor()
    expect((await stage.server.fetch(site)).status).toBe(404)
    await page.close()
  })

  test('the link to a preview opens in a browser that nobody is signed in to', async () => {
    await push('draft', { 'news.mdx': newPage.replace('Fresh', 'Drafted') })
    const page = await sitePage()
    await page.getByLabel('Branch name').fill('nowhere')
    await page.getByRole('button', { name: 'Make the links' }).click()
    await page.getByText(/has no branch nowhere/).waitFor()
    await page.getByLabel('Branch name').fill('draft')
    await page.getByRole('button', { name: 'Make the links' }).click()
    const link = await page.getByRole('link', { name: 'link to share' }).getAttribute('href')
    expect(link).toContain('draft@')
    const context = await stage.stranger()
    const shared = await context.newPage()
    const answer = await shared.goto(`${link}news`)
    expect(answer!.status()).toBe(200)
    expect(await shared.textContent('main')).toContain('Drafted words')
    await context.close()
    await page.close()
  })

  test('a domain is added with what is left to do, and removed after a question', async () => {
    const page = await sitePage()
    const card = page.locator('section', { has: page.getByRole('heading', { name: 'Domains' }) })
    await card.getByLabel('Domain', { exact: true }).fill('not a domain')
    await card.getByRole('button', { name: 'Add the domain' }).click()
    await card.getByRole('alert').waitFor()
    await card.getByLabel('Domain', { exact: true }).fill('Docs.Acme.test')
    await card.getByRole('button', { name: 'Add the domain' }).click()
    await card.getByText("curl -H 'Host: docs.acme.test'").waitFor()
    expect((await api('GET', `/v1/projects/${stage.projectId}/site`)).domains).toEqual(['docs.acme.test'])
    await card.getByRole('button', { name: 'Remove docs.acme.test' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the domain' }).click()
    await card.getByText('No domain yet').waitFor()
    expect((await api('GET', `/v1/projects/${stage.projectId}/site`)).domains).toEqual([])
    await page.close()
  })

  test('a token goes in, never comes back, and can be tried and removed', async () => {
    const page = await stage.open(`/p/${remoteId}/settings`)
    const bodies: Promise<string>[] = []
    page.on('response', (response) => bodies.push(response.text().catch(() => '')))
    const form = page.getByRole('form', { name: 'Access token' })
    await form.getByText('A token is stored').waitFor()
    const source = page.getByRole('form', { name: 'Source' })
    expect(await source.getByLabel('API URL').inputValue()).toBe(vendor.apiUrl)
    await source.getByRole('button', { name: 'Test the source' }).click()
    await source.getByText('It works.').waitFor()

    await form.getByLabel('New token').fill('wrong-token')
    await form.getByRole('button', { name: 'Replace the token' }).click()
    await page.getByText('The token is stored.').waitFor()
    await until(async () => (await form.getByLabel('New token').inputValue()) === '' || null)
    await source.getByRole('button', { name: 'Test the source' }).click()
    await source.getByText(/refuses the token/).waitFor()
    await page.reload()
    await form.getByText('A token is stored').waitFor()
    const seen = `${(await Promise.all(bodies)).join('')}${await page.content()}`
    expect(seen).not.toContain('wrong-token')
    expect(seen).not.toContain(vendor.token)

    await form.getByRole('button', { name: 'Remove the token' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the token' }).click()
    await form.getByText('No token is stored').waitFor()
    expect((await api('GET', `/v1/projects/${remoteId}`)).source.hasToken).toBe(false)
    await page.close()
  })

  test('a model is tried from the page, and what is wrong with it stands there in words', async () => {
    const page = await stage.open(`/p/${remoteId}/settings`)
    const form = page.getByRole('form', { name: 'Model' })
    await form.getByRole('button', { name: 'Test the model' }).click()
    await form.getByText(/needs no key and no server/).waitFor()
    await form.getByLabel('Model', { exact: true }).selectOption('other')
    expect(await form.getByRole('button', { name: 'Test the model' }).isDisabled()).toBe(true)
    await form.getByLabel('Name of the model').fill('openai-compatible/qwen')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByRole('button', { name: 'Test the model' }).click()
    await form.getByText('openai-compatible/qwen answered.').waitFor()
    reply = { status: 401, body: { error: { message: `wrong key ${modelKey}` } } }
    await form.getByRole('button', { name: 'Test the model' }).click()
    await form.getByText(/refused our key/).waitFor()
    expect(await page.content()).not.toContain(modelKey)
    await page.close()
  })

  test('limits, paths and the name are saved, and a project is deleted by its name', async () => {
    const { id } = await api('POST', '/v1/projects', { name: 'Short-lived' })
    const page = await stage.open(`/p/${id}/settings`)
    const limits = page.getByRole('form', { name: 'Agent limits' })
    await limits.getByLabel('Steps').fill('7')
    await limits.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/Prompts that begin from now on/).waitFor()
    expect((await api('GET', `/v1/projects/${id}/agent-limits`)).maxSteps).toEqual({ value: 7, own: 7, most: 60 })
    const paths = page.getByRole('form', { name: 'Paths open to agents' })
    await paths.getByLabel(/one a line/).fill('AGENTS.md\n\n.github/workflows\n')
    await paths.getByRole('button', { name: 'Save' }).click()
    await until(async () => (await api('GET', `/v1/projects/${id}`)).openPaths.length === 2 || null)
    const name = page.getByRole('form', { name: 'Name' })
    await name.getByLabel('Name').fill('Fleeting')
    await name.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('combobox', { name: 'Project' }).getByText('Fleeting').waitFor({ state: 'attached' })

    await page.getByRole('button', { name: 'Delete the project' }).click()
    const dialog = page.getByRole('dialog')
    const confirm = dialog.getByRole('button', { name: 'Delete it for good' })
    await dialog.getByLabel(/type its name/).fill('Fleet')
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByLabel(/type its name/).fill('Fleeting')
    await confirm.click()
    await page.waitForURL((url) => !url.pathname.includes(id))
    expect((await stage.server.fetch(`/v1/projects/${id}`)).status).toBe(404)
    await page.close()
  })

  test('a webhook shows its secret once, and a test and its answer stand in its log', async () => {
    const page = await stage.open(`/p/${stage.projectId}/settings/webhooks`)
    await page.getByRole('button', { name: 'Add a webhook' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill(`${receiver.url}/hook`)
    await dialog.getByLabel('job.archived').uncheck()
    await dialog.getByRole('button', { name: 'Add the webhook' }).click()
    const secret = await dialog.getByText(/^whsec_/).textContent()
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    receiver.onRequest((response) => void response.writeHead(500).end('not today'))
    await page.getByRole('button', { name: 'Send a test' }).click()
    const row = page.getByRole('row', { name: /webhook\.test/ })
    await row.getByText('failed', { exact: true }).waitFor()
    await row.getByText('Answered 500: not today').waitFor()
    expect(JSON.parse(receiver.received[0]!.body).type).toBe('webhook.test')

    receiver.onRequest((response) => void response.writeHead(204).end())
    await row.getByRole('button', { name: /^Details/ }).click()
    await dialog.getByText('"type": "webhook.test"').waitFor()
    await dialog.getByRole('button', { name: 'Send it again' }).click()
    await dialog.getByText('delivered', { exact: true }).waitFor()
    await dialog.getByText('2 attempts').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()

    await page.getByRole('button', { name: 'Edit' }).click()
    expect(await dialog.getByLabel('job.archived').isChecked()).toBe(false)
    await dialog.getByLabel('Enabled').uncheck()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Disabled', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Send a test' }).isDisabled()).toBe(true)
    await page.reload()
    await page.getByText(`${receiver.url}/hook`).first().waitFor()
    expect(await page.content()).not.toContain(secret)
    await page.close()
  })

  test('a rule of one’s own changes who a reader is', async () => {
    const page = await stage.open(`/p/${stage.projectId}/settings/analytics`)
    const form = page.getByRole('form', { name: 'Own rules' })
    const visit = (id: string) =>
      api('POST', `/v1/analytics/${stage.projectId}/events`, {
        events: [{ id, path: '/', ip: '203.0.113.9', userAgent: 'AcmeReader/1.0' }],
      })
    const agents = async () =>
      (await api('GET', `/v1/analytics/${stage.projectId}/agents`)).agents.map((one: { client: string }) => one.client)
    await visit('before')
    expect(await agents()).not.toContain('Acme reader')
    await form.getByRole('button', { name: 'Add a rule' }).click()
    await form.getByRole('button', { name: 'Add a rule' }).click()
    const rule = (number: number) => form.getByRole('group', { name: `Rule ${number}` })
    await rule(1).getByLabel('User agent contains').fill('reader')
    await rule(1).getByLabel('Then the reader is').selectOption('bot')
    await rule(2).getByLabel('User agent contains').fill('acmereader')
    await rule(2).getByLabel('Then the reader is').selectOption('assistant')
    await rule(2).getByLabel('Name in reports').fill('Acme reader')
    await form.getByRole('button', { name: 'Move rule 2 up' }).click()
    await form.getByRole('button', { name: 'Save the rules' }).click()
    await page.getByText(/Views from now on are told/).waitFor()
    const { rules } = await api('GET', `/v1/analytics/${stage.projectId}/settings`)
    expect(rules).toEqual([
      { category: 'assistant', userAgent: 'acmereader', client: 'Acme reader' },
      { category: 'bot', userAgent: 'reader' },
    ])
    await visit('after')
    expect(await agents()).toContain('Acme reader')

    const forget = page.getByRole('form', { name: 'Forget a visitor' })
    await forget.getByLabel('IP address').fill('203.0.113.9')
    await forget.getByLabel('User agent').fill('AcmeReader/1.0')
    await forget.getByRole('button', { name: /^Forget/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete their views' }).click()
    await forget.getByText('2 views were deleted.').waitFor()
    expect(await agents()).not.toContain('Acme reader')
    await page.close()
  })

  const places = ['/site', '/settings', '/settings/webhooks', '/settings/analytics']

  test('a viewer sees all of it and can change nothing, by page or by API', async () => {
    const context = await stage.stranger()
    const owners = await sitePage()
    const post = ([path, body]: readonly [string, object]) =>
      fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).then(
        async (answer) => ({ status: answer.status, body: (await answer.json()) as { url: string } }),
      )
    const invitation = await owners.evaluate(post, ['/v1/invitations', { role: 'viewer' }] as const)
    await owners.close()
    const token = /token=(.+)$/.exec(invitation.body.url)![1]
    const page = await stage.open('/sign-in', { context })
    const viewer = { token, name: 'Vera Viewer', email: 'vera@example.com', password: 'look but do not touch' }
    expect((await page.evaluate(post, ['/v1/invitations/accept', viewer] as const)).status).toBe(201)
    const changing = /^(Save|Publish|Make|Restore|Add|Remove|Test|Send|Edit|New|Delete|Forget|Store|Replace)/
    for (const place of places) {
      await page.goto(`/app/p/${stage.projectId}${place}`)
      await page
        .getByText(/Your role is viewer|Publish now/)
        .first()
        .waitFor()
      await page.waitForLoadState('networkidle')
      const buttons = await page.locator('main').getByRole('button', { name: changing, disabled: false }).all()
      expect(await Promise.all(buttons.map((button) => button.textContent()))).toEqual([])
      const fields = await page.locator('main form').locator('input, select, textarea').all()
      for (const field of fields) expect(await field.isDisabled()).toBe(true)
    }
    for (const path of ['deployments', 'model/test', 'source/test']) {
      const { status } = await page.evaluate(post, [`/v1/projects/${stage.projectId}/${path}`, {}] as const)
      expect(status).toBe(403)
    }
    await context.close()
  })

  test.each([...places, 'the settings of a repository elsewhere'])(
    '%s has no fault that axe finds, in either scheme, and does not scroll sideways on a phone',
    async (place) => {
      const path = place.startsWith('/') ? `/p/${stage.projectId}${place}` : `/p/${remoteId}/settings`
      const page = await stage.open(path)
      await page.getByRole('heading', { level: 2 }).first().waitFor()
      await page.waitForLoadState('networkidle')
      for (const colorScheme of ['light', 'dark'] as const) {
        // Or a colour would be looked at on its way from one scheme to the other.
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        expect(await accessibilityFaults(page), colorScheme).toEqual([])
      }
      await page.setViewportSize({ width: 390, height: 844 })
      expect(await scrollsSideways(page)).toBe(false)
      await page.close()
    },
  )

  test('no page threw, or tried what its policy forbids', () => {
    expect(stage.complaints).toEqual([])
  })
})
