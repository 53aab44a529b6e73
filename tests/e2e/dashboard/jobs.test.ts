// The pages about jobs against a real server: asking for a change, watching it happen, and what comes of it.
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  accessibilityFaults,
  type DashboardStage,
  openDashboardStage,
  scrollsSideways,
} from '../../harness/dashboard-stage.ts'
import { startOpenAiServer } from '../../harness/models/openai-server.ts'
import type { ModelServer, Reply } from '../../harness/models/scripted-server.ts'
import { chromiumPath } from '../../harness/system-programs.ts'

const call = (name: string, input: object, delayMs = 0): Reply => ({ calls: [{ name, input }], delayMs })

// What pages do does not depend on the database.
describe.skipIf(!chromiumPath || inject('engine') !== 'pglite')('the pages about jobs', () => {
  let stage: DashboardStage
  let model: ModelServer
  let replies: Reply[] = []
  let page: Page
  beforeAll(async () => {
    model = await startOpenAiServer(() => replies.shift() ?? { hang: true })
    stage = await openDashboardStage({ modelBaseUrl: model.url, modelApiKey: 'key-of-the-model' })
    page = await stage.open(`/p/${stage.projectId}/jobs`)
  }, 120_000)
  afterAll(async () => {
    await stage?.close()
    await model?.[Symbol.asyncDispose]()
  })

  const steps = () => page.getByRole('log', { name: 'Steps of this job' })
  /** Waits until so many prompts of the job have come to this end. */
  const ends = (words: string, { times = 1 } = {}) =>
    steps()
      .locator('summary')
      .filter({ hasText: words })
      .nth(times - 1)
      // The first job of a server that has just started finds nothing warm.
      .waitFor({ timeout: 40_000 })
  const status = (word: string) => page.locator('main').getByText(word, { exact: true }).first().waitFor()
  const toList = async () => {
    await page.getByRole('link', { name: 'All jobs' }).click()
    await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor()
  }
  const api = async (path: string, body?: object) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    // biome-ignore lint/suspicious/noExplicitAny: answers of several shapes.
    return (await (await stage.server.fetch(path, body ? init : {})).json()) as any
  }
  const demoJobs = async () => (await api(`/v2/agent/${stage.projectId}/jobs`)).jobs
  async function firstEvent(url: string): Promise<string> {
    const answer = await stage.server.fetch(new URL(url).pathname)
    let text = ''
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const event = /^id: 1\n.+?\n\n/ms.exec(text)?.[0]
      if (event) return event
    }
    throw new Error(`The stream ended: ${text}`)
  }
  async function expectSound(schemes: ('dark' | 'light')[] = ['light']): Promise<void> {
    // Colours that are on their way to others are no fault.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme })
      expect(await accessibilityFaults(page)).toEqual([])
    }
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await scrollsSideways(page)).toBe(false)
    await page.setViewportSize({ width: 1280, height: 900 })
  }

  test('a project without jobs shows how to make one, from here and from elsewhere', async () => {
    await page.getByText('No jobs yet').waitFor()
    const commands = await page.locator('pre').allTextContents()
    expect(commands[0]).toContain(`${stage.server.url}/v2/agent/${stage.projectId}/job`)
    expect(commands[1]).toContain(`docent job create --project ${stage.projectId}`)
    expect(await page.getByRole('button', { name: 'Start the job' }).isDisabled()).toBe(true)
    await expectSound()
  })

  test('a job is made once, its steps appear as they happen, and its change can be read', async () => {
    await page.evaluate('window.isSamePage = true')
    await page.getByRole('button', { name: 'rename page quickstart to start' }).click()
    await page.getByRole('button', { name: 'Start the job' }).dblclick()
    await ends('Done: the pull request is open')
    await status('Completed')
    expect(await steps().getByText('rename page quickstart to start: moved 1 file, rewrote').count()).toBeGreaterThan(0)
    await page.getByRole('heading', { name: 'Move quickstart.mdx to start.mdx', level: 1 }).waitFor()
    await page.getByRole('button', { name: /quickstart\.mdx → start\.mdx Renamed/ }).waitFor()
    const lines = page.getByRole('table', { name: 'Changed lines of index.mdx' }).getByRole('row')
    expect((await lines.filter({ hasText: '−' }).allTextContents()).join()).toContain('href="/quickstart"')
    expect((await lines.filter({ hasText: '+' }).allTextContents()).join()).toContain('href="/start"')
    expect(await page.evaluate('window.isSamePage')).toBe(true)
    expect(await demoJobs()).toHaveLength(1)
    await expectSound(['dark', 'light'])
  })

  test('its pull request opens on the built-in host, where it can be merged', async () => {
    const [pull] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Pull request #1' }).click(),
    ])
    await pull.getByRole('heading', { name: /Move quickstart\.mdx to start\.mdx/ }).waitFor()
    expect(pull.url()).toMatch(/\/git\/demo\/pulls\/1$/)
    await pull.close()
  })

  test('a follow-up adds to the change, without leaving the page', async () => {
    await page.getByLabel('What else should change?').fill('set title to "Hello there" in index')
    await page.getByLabel('What else should change?').press('Control+Enter')
    await ends('Done: the pull request is open', { times: 2 })
    await page.getByRole('cell', { name: /^title: "?Hello there"?$/ }).waitFor({ timeout: 30_000 })
    expect(await steps().getByText('Follow-up', { exact: true }).count()).toBe(1)
    expect((await demoJobs()).map((job: { prLink: string }) => job.prLink)).toEqual([
      expect.stringMatching(/pulls\/1$/),
    ])
    expect(await page.evaluate('window.isSamePage')).toBe(true)
  })

  test('a prompt that is not understood says what would be, and can be mended in place', async () => {
    await toList()
    await page.getByLabel('What should change?').fill('make it nicer')
    await page.getByRole('button', { name: 'Start the job' }).click()
    const failure = page.getByRole('region', { name: 'Why it failed' })
    await failure.getByText('What to do next').waitFor()
    await failure.getByText('replace "A" with "B" [in PATH]').waitFor()
    expect(await failure.getByRole('link', { name: 'Open the settings' }).getAttribute('href')).toBe(
      `/app/p/${stage.projectId}/settings`,
    )
    await expectSound()
    await failure.getByRole('button', { name: 'Change the prompt' }).click()
    const box = page.getByLabel('What should change instead?')
    expect(await box.inputValue()).toBe('make it nicer')
    await box.fill('replace "nowhere to be found" with "x"')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await ends('Done: there was nothing to change')
    await page.getByText('No file had to change').waitFor()
    expect(await failure.count()).toBe(0)
  })

  test('a job that runs is followed through a broken connection, takes a follow-up, and is stopped', async () => {
    const { id } = await api('/v1/projects', { name: 'With a model', model: 'openai-compatible/slow' })
    replies = [
      call('list', {}),
      call('read', { path: 'index.mdx' }, 500),
      call('read', { path: 'quickstart.mdx' }, 500),
    ]
    // The first connection ends after the first event.
    await page.route(
      '**/events',
      async (route) =>
        route.fulfill({ contentType: 'text/event-stream', body: await firstEvent(route.request().url()) }),
      { times: 1 },
    )
    const connections: Request[] = []
    page.on('request', (request) => request.url().endsWith('/events') && connections.push(request))
    await page.goto(`/app/p/${id}/jobs`)
    await page.getByText('openai-compatible/slow').first().waitFor()
    await page.getByLabel('What should change?').fill('Add a page about retries.\nKeep it short.')
    await page.getByRole('button', { name: 'Start the job' }).click()
    await ends('Listed the files')
    await page.getByText('Live', { exact: true }).waitFor()
    await ends('Read quickstart.mdx')
    expect(connections).toHaveLength(2)
    expect(await connections[1]!.allHeaders()).toMatchObject({ 'last-event-id': '1' })
    // Nothing twice, and nothing left out.
    const words = await steps().locator('summary > span:nth-of-type(2)').allTextContents()
    expect(words).toEqual([
      ...['Waiting for a worker', 'Getting the newest version of the docs', 'openai-compatible/slow starts working'],
      ...['Listed the files', 'Read index.mdx', 'Read quickstart.mdx'],
    ])
    await page.getByLabel('What else should change?').fill('And link it.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await ends('Follow-up waits for its turn')
    await expectSound()

    await page.getByRole('button', { name: 'Stop and archive' }).click()
    const dialog = page.getByRole('dialog', { name: 'Stop this job?' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await status('Active')
    await page.getByRole('button', { name: 'Stop and archive' }).click()
    await dialog.getByRole('button', { name: 'Stop and archive' }).click()
    await status('Archived')
    await page.getByText('takes no more messages').waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
  })

  test('the list shows jobs by status, which stands in the address, and sees what happens elsewhere', async () => {
    await page.goto(`/app/p/${stage.projectId}/jobs`)
    const rows = page.getByRole('region', { name: 'Jobs of this project' }).getByRole('listitem')
    await rows.nth(1).waitFor()
    expect(await rows.count()).toBe(2)
    await expectSound(['dark', 'light'])
    await page.getByRole('button', { name: 'Failed', exact: true }).click()
    await page.getByText('No job is failed').waitFor()
    expect(page.url()).toMatch(/\?status=failed$/)
    await page.goBack()
    await rows.nth(1).waitFor()
    const { id } = await api(`/v2/agent/${stage.projectId}/job`, { prompt: 'fix broken links' })
    await page.reload()
    await rows.filter({ hasText: 'Completed' }).nth(2).waitFor()
    await rows.first().getByRole('link').first().click()
    await page.waitForURL(new RegExp(id))
  })

  test('a viewer sees all of it and can change nothing', async () => {
    const post = ([path, body]: readonly [string, object]) =>
      fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).then(
        async (answer) => ({ status: answer.status, body: (await answer.json()) as { url: string } }),
      )
    const invitation = await page.evaluate(post, ['/v1/invitations', { role: 'viewer' }] as const)
    const token = /token=(.+)$/.exec(invitation.body.url)![1]
    const context = await stage.stranger()
    const viewers = await stage.open('/sign-in', { context })
    const viewer = { token, name: 'Vera Viewer', email: 'vera@example.com', password: 'look but do not touch' }
    expect((await viewers.evaluate(post, ['/v1/invitations/accept', viewer] as const)).status).toBe(201)
    const [job] = (await demoJobs()).slice(-1)
    for (const path of ['jobs', `jobs/${job.id}`]) {
      await viewers.goto(`/app/p/${stage.projectId}/${path}`)
      await viewers.getByText('Your role is viewer').waitFor()
      await viewers.getByText('Pull request #1').or(viewers.getByText('Changed lines')).first().waitFor()
      expect(await viewers.locator('main').getByRole('textbox').count()).toBe(0)
      expect(await viewers.getByRole('button', { name: /Archive|Send|Start/, disabled: false }).count()).toBe(
        // The filter of the list.
        path === 'jobs' ? 1 : 0,
      )
    }
    const base = `/v2/agent/${stage.projectId}/job`
    for (const path of [base, `${base}/${job.id}/message`, `${base}/${job.id}/archive`]) {
      expect((await viewers.evaluate(post, [path, { prompt: 'x' }] as const)).status).toBe(403)
    }
    await context.close()
  })

  test('and no page complained', () => {
    expect(stage.complaints).toEqual([])
  })
})
