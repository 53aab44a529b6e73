// The pages API keys, Members and Your account against a real server.
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  accessibilityFaults,
  type DashboardStage,
  openDashboardStage,
  owner,
  scrollsSideways,
} from '../../harness/dashboard-stage.ts'
import { chromiumPath } from '../../harness/system-programs.ts'

const vera = { name: 'Vera Viewer', email: 'vera@example.com', password: 'a sentence to remember' }

describe.skipIf(!chromiumPath)('the pages of the organization', () => {
  let stage: DashboardStage
  /** Vera's browser, once she has joined. */
  let veras: BrowserContext

  beforeAll(async () => {
    stage = await openDashboardStage()
    await stage.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  }, 120_000)
  afterAll(() => stage?.close())

  const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
  const statusOf = async (key: string) => (await stage.server.fetch('/v1/projects', { key })).status
  const clipboard = (page: Page) => page.evaluate('navigator.clipboard.readText()')
  /** What the API says to somebody's browser, whatever their pages show. */
  const ask = (page: Page, method: string, path: string, body?: object) =>
    page.evaluate(
      async ([verb, address, text]) => {
        const headers = text === null ? {} : { 'content-type': 'application/json' }
        return (await fetch(address!, { method: verb!, headers, ...(text === null ? {} : { body: text! }) })).status
      },
      [method, path, body ? JSON.stringify(body) : null] as const,
    )

  test('a key made on the page works by the line that is shown with it, until it is revoked', async () => {
    const page = await stage.open('/keys')
    await page.getByRole('button', { name: 'Create a key' }).click()
    const form = page.getByRole('dialog', { name: 'Create a key' })
    await form.getByLabel('Name').fill('CI of the docs')
    await form.getByLabel('Allowed addresses').fill('127.0.0.1\nnowhere')
    await form.getByRole('button', { name: 'Create the key' }).click()
    await form.getByText('Address 2: expected an IP address').waitFor()
    await form.getByLabel('Allowed addresses').fill('127.0.0.1\n::1')
    expect(await accessibilityFaults(page)).toEqual([])
    await form.getByRole('button', { name: 'Create the key' }).click()

    const shown = page.getByRole('dialog', { name: 'The key CI of the docs' })
    await shown.getByRole('button', { name: 'Copy the curl command' }).click()
    const line = String(await clipboard(page))
    const [, key, url] = /^curl -H "Authorization: Bearer (docent_\w+)" (http\S+)$/.exec(line) ?? []
    expect(url).toBe(`${stage.server.url}/v1/projects`)
    await shown.getByRole('button', { name: 'Copy the key' }).click()
    expect(await clipboard(page)).toBe(key)
    const answer = await fetch(url!, { headers: { authorization: `Bearer ${key}` } })
    expect(await answer.json()).toMatchObject({ projects: [{ id: stage.projectId, isDemo: true }] })

    // Leaving by Escape says nothing of having kept it.
    await page.keyboard.press('Escape')
    await shown.getByText('the key is not shown again').waitFor()
    await shown.getByRole('button', { name: 'Back to the key' }).click()
    await shown.getByRole('button', { name: 'I have kept it' }).click()
    expect(await page.getByText(key!).count()).toBe(0)

    const row = rowOf(page, 'CI of the docs')
    expect(await row.textContent()).toMatch(new RegExp(`…${key!.slice(-4)}.*read and write.*127\\.0\\.0\\.1`))
    await row.getByRole('button', { name: 'Revoke CI of the docs' }).click()
    const question = page.getByRole('dialog', { name: 'Revoke CI of the docs?' })
    expect(await statusOf(key!)).toBe(200)
    await question.getByRole('button', { name: 'Revoke the key' }).click()
    await page.getByText('CI of the docs is revoked.').waitFor()
    expect(await statusOf(key!)).toBe(401)
    await row.waitFor({ state: 'detached' })
    await page.getByLabel('Show revoked keys').check()
    await row.getByText('revoked').waitFor()
    await page.close()
  }, 60_000)

  test('the project id is copied from the page of the keys', async () => {
    const page = await stage.open('/keys')
    await page.getByRole('button', { name: 'Copy the project id' }).click()
    expect(await clipboard(page)).toBe(stage.projectId)
    await page.close()
  })

  test('somebody who is invited joins by the link, which is shown once', async () => {
    const page = await stage.open('/members')
    await page.getByRole('button', { name: 'Invite somebody' }).click()
    const form = page.getByRole('dialog', { name: 'Invite somebody' })
    await form.getByLabel('E-mail (optional)').fill(vera.email)
    await form.getByLabel('Role').selectOption('viewer')
    await form.getByRole('button', { name: 'Make the link' }).click()
    const shown = page.getByRole('dialog', { name: 'Invitation' })
    await shown.getByRole('button', { name: 'Copy the link' }).click()
    const link = String(await clipboard(page))
    await shown.getByRole('button', { name: 'Done' }).click()
    expect(await rowOf(page, vera.email).textContent()).toMatch(/viewer.*Olga Owner/)

    veras = await stage.stranger()
    const joining = await veras.newPage()
    await joining.goto(link)
    await joining.getByLabel('Your name').fill(vera.name)
    await joining.getByLabel('Password').fill(vera.password)
    await joining.getByRole('button', { name: 'Join' }).click()
    await joining.waitForURL(/\/app\/p\/prj_/)
    await joining.close()

    await page.reload()
    await rowOf(page, vera.name).waitFor()
    await page.getByText('None. A link works once').waitFor()
    await page.close()
  }, 60_000)

  test('a viewer finds nothing to press, and the API refuses what they try all the same', async () => {
    const page = await stage.open('/keys', { context: veras })
    await page.getByText('Your role is viewer').waitFor()
    await page.getByRole('table', { name: 'API keys' }).waitFor()
    const controls = page.getByRole('main').getByRole('button', { name: /create|revoke|invite|remove|seed|password/i })
    expect(await controls.count()).toBe(0)
    expect(await ask(page, 'POST', '/v1/keys', { name: 'mine' })).toBe(403)
    expect(await ask(page, 'POST', `/v1/projects/${stage.projectId}/sample-traffic`)).toBe(403)
    await page.goto('/app/members')
    await rowOf(page, vera.name).getByText('you').waitFor()
    expect(await controls.count()).toBe(0)
    expect(await page.getByRole('main').getByRole('combobox').count()).toBe(0)
    expect(await ask(page, 'POST', '/v1/invitations', { role: 'owner' })).toBe(403)
    await page.goto(`/app/p/${stage.projectId}`)
    await page.getByText('Latest jobs').waitFor()
    expect(await controls.count()).toBe(0)
    await page.goto('/app/projects/new')
    await page.getByText('Your role is viewer').waitFor()
    expect(await controls.count()).toBe(0)
    expect(await ask(page, 'POST', '/v1/projects', { name: 'Mine' })).toBe(403)
    await page.close()
  }, 60_000)

  test('the last owner stays, and the page says why', async () => {
    const page = await stage.open('/members')
    const row = rowOf(page, owner.email)
    await row.getByText('The only owner: make somebody else an owner first.').waitFor()
    expect(await row.getByRole('button', { name: `Remove ${owner.name}` }).isDisabled()).toBe(true)
    expect(await row.getByRole('combobox').count()).toBe(0)
    const { members } = (await (await stage.server.fetch('/v1/members')).json()) as {
      members: Record<string, string>[]
    }
    const { id } = members.find(({ email }) => email === owner.email)!
    expect(await ask(page, 'DELETE', `/v1/members/${id}`)).toBe(409)
    expect(await ask(page, 'PATCH', `/v1/members/${id}`, { role: 'viewer' })).toBe(409)
    await page.close()
  })

  test('roles, password links and removal take effect in the other person’s browser', async () => {
    const page = await stage.open('/members')
    const hers = await stage.open('/keys', { context: veras })
    await rowOf(page, vera.email)
      .getByRole('combobox', { name: `Role of ${vera.name}` })
      .selectOption('admin')
    await page.getByText('Vera Viewer is admin now.').waitFor()
    await hers.reload()
    await hers.getByRole('button', { name: 'Create a key' }).waitFor()

    await page.getByRole('button', { name: `Password link for ${vera.name}` }).click()
    const shown = page.getByRole('dialog', { name: `Password link for ${vera.name}` })
    await shown.getByText('/app/password#token=').waitFor()
    await shown.getByRole('button', { name: 'Done' }).click()

    await page.getByRole('button', { name: `Remove ${vera.name}` }).click()
    const question = page.getByRole('dialog', { name: `Remove ${vera.name}?` })
    await question.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('Vera Viewer is no longer a member.').waitFor()
    expect(await ask(hers, 'GET', '/v1/keys')).toBe(401)
    await rowOf(page, vera.email).waitFor({ state: 'detached' })
    await hers.close()
    await page.close()
  }, 60_000)

  test('one’s other sessions are listed and ended, and a name and password are changed', async () => {
    const elsewhere = await stage.stranger()
    const other = await elsewhere.newPage()
    await other.goto('/app/sign-in')
    await other.getByLabel('E-mail').fill(owner.email)
    await other.getByLabel('Password').fill(owner.password)
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.waitForURL(/\/app\/p\/prj_/)

    const page = await stage.open('/account')
    await page.getByText('this one').waitFor()
    await page.getByRole('button', { name: /^End the session of Chrome/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click()
    await page.getByText('The session has ended.').waitFor()
    expect(await ask(other, 'GET', '/v1/sessions')).toBe(401)
    await elsewhere.close()
    await page.getByRole('button', { name: /^End the session of/ }).waitFor({ state: 'detached' })

    await page.getByLabel('Current password').fill('not this one')
    await page.getByLabel('New password').fill('another long sentence')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('The current password is another one.').waitFor()
    expect(await page.getByLabel('Current password').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Current password').fill(owner.password)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('Your password is changed').waitFor()
    await page.getByLabel('Name').fill('Olga Other')
    await page.getByRole('button', { name: 'Save the name' }).click()
    await page.getByText('Your name is changed.').waitFor()
    await page.getByText('Olga Other').waitFor()
    await page.close()
  }, 60_000)

  test.each(['/keys', '/members', '/account', '/projects/new'])(
    '%s is accessible in both schemes, and fits a phone',
    async (path) => {
      const page = await stage.open(path)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.waitForLoadState('networkidle')
        expect(await accessibilityFaults(page), colorScheme).toEqual([])
      }
      await page.setViewportSize({ width: 390, height: 844 })
      expect(await scrollsSideways(page)).toBe(false)
      await page.close()
    },
    60_000,
  )

  test('no page complained', () => {
    expect(stage.complaints).toEqual([])
  })
})
