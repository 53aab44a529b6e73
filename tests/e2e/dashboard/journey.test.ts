// Runs on PGlite alone: it is one long walk through everything; what each step writes is tested on both where it is made.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessibilityFaults, type DashboardStage, openDashboardStage, owner } from '#tests/harness/dashboard-stage.ts'
import { chromiumPath } from '#tests/harness/system-programs.ts'
import { until } from '#tests/harness/until.ts'

const oldText = 'From nothing to a published site and a first pull request.'
const newText = 'Ten minutes to a site of your own.'

describe.skipIf(!chromiumPath)('a new owner', () => {
  let stage: DashboardStage
  let page: Page
  let key = ''
  let project = ''

  beforeAll(async () => {
    stage = await openDashboardStage()
    project = `/p/${stage.projectId}`
    page = await stage.open(project)
  }, 60_000)
  afterAll(() => stage?.close())

  const go = (name: string) => page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name }).click()
  const withKey = (path: string) => stage.server.fetch(path, { key })

  test('makes a key on the page for keys, and the curl line that it shows works', async () => {
    await go('API keys')
    await page.getByText(stage.projectId).first().waitFor()
    await page.getByRole('button', { name: 'Create a key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('From CI')
    await dialog.getByRole('button', { name: /^Create/ }).click()
    const shown = await page
      .getByRole('dialog')
      .getByText(/^docent_\w{43}$/)
      .first()
      .textContent()
    key = shown!.trim()
    const curl = await page
      .getByRole('dialog')
      .getByText(/^curl /)
      .textContent()
    expect(curl).toContain(key)
    const { stdout } = await promisify(execFile)('sh', ['-c', curl!]).catch(async (error: { code?: number }) => {
      // A machine without curl has no way to run the line; what it would send is sent all the same.
      if (error.code !== 127) throw error
      return { stdout: await (await withKey(/\/v1\/[\w/]+/.exec(curl!)![0])).text() }
    })
    expect(stdout).toContain(stage.projectId)
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByRole('button', { name: 'Close anyway' }).click()
    expect(await page.getByText(key).count()).toBe(0)
  })

  test('asks for a change, watches it happen and opens its pull request', async () => {
    await go('Jobs')
    await page.getByLabel('What should change?').fill(`replace "${oldText}" with "${newText}" in quickstart.mdx`)
    await page.getByRole('button', { name: /Ask|Start|Create/ }).click()
    await page.waitForURL(/\/jobs\/job_/)
    await page
      .getByText(/Completed/i)
      .first()
      .waitFor()
    await page.getByText(newText).first().waitFor()
    const opened = page.waitForEvent('popup').catch(() => null)
    await page
      .getByRole('link', { name: /pull request/i })
      .first()
      .click()
    const popup = await Promise.race([opened, page.waitForURL(/\/git\//).then(() => null)])
    const request = popup ?? page
    await request.getByRole('button', { name: 'Merge into main' }).click()
    await request
      .getByText(/merged/i)
      .first()
      .waitFor()
    if (popup) await popup.close()
    else await page.goto(`/app${project}`)
  })

  test('sees the site change, and their visit counted as one person’s', async () => {
    const reader = await stage.context.newPage()
    await until(async () => {
      await reader.goto('/sites/demo/quickstart')
      return (await reader.getByText(newText).count()) > 0
    })
    await go('Visitors')
    const counted = await until(async () => {
      const answer = await withKey(`/v1/analytics/${stage.projectId}/visitors`)
      const { totals, visitors } = (await answer.json()) as {
        totals: { human: number }
        visitors: { path: string; human: number }[]
      }
      return totals.human > 0 && visitors.find(({ path }) => path === '/quickstart')
    })
    expect(counted.human).toBe(1)
    await page.reload()
    const row = page.getByRole('row').filter({ hasText: '/quickstart' })
    await row.first().waitFor()
    expect((await row.first().textContent())!).toContain('1')
    await reader.close()
  })

  test('revokes the key, which then opens nothing', async () => {
    expect((await withKey('/v1/projects')).status).toBe(200)
    await go('API keys')
    await page.getByRole('button', { name: 'Revoke From CI' }).click()
    await page.getByRole('button', { name: 'Revoke the key' }).click()
    await until(async () => (await withKey('/v1/projects')).status === 401, { withinMs: 5_000 })
  })

  test('signs out, and comes back with e-mail and password to where they wanted', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(/\/app\/sign-in/)
    await page.goto('/app/members')
    await page.waitForURL(/\/app\/sign-in\?to=/)
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByLabel('E-mail').fill(owner.email)
    await page.getByLabel('Password').fill('not this one at all')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Password').fill(owner.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(/\/app\/members/)
    await page.getByText(owner.email).first().waitFor()
  })

  test('met no fault of a script and nothing that the policy of the pages refused', () => {
    expect(stage.complaints).toEqual([])
  })
})
