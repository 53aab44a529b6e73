// A project's overview, and making one, against a real server.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  accessibilityFaults,
  type DashboardStage,
  openDashboardStage,
  scrollsSideways,
} from '../../harness/dashboard-stage.ts'
import { chromiumPath } from '../../harness/system-programs.ts'
import { until } from '../../harness/until.ts'

interface Report {
  totals: { human: number; ai: number; total: number }
}

describe.skipIf(!chromiumPath)('the overview of a project', () => {
  let stage: DashboardStage
  beforeAll(async () => {
    stage = await openDashboardStage()
  }, 120_000)
  afterAll(() => stage?.close())

  const visitorsOf = async (projectId: string) =>
    ((await (await stage.server.fetch(`/v1/analytics/${projectId}/visitors`)).json()) as Report).totals

  test('a project that cannot be made says so at its fields; one that can opens with its next steps', async () => {
    const page = await stage.open('/projects/new')
    await page.getByLabel('Name').fill('My docs')
    await page.getByLabel('Source').selectOption('github')
    await page.getByLabel('Repository').fill('acme')
    await page.getByLabel('Docs folder').fill('../secrets')
    await page.getByRole('button', { name: 'Create the project' }).click()
    await page.getByText('expected a folder inside the repository').waitFor()
    expect(await page.getByLabel('Docs folder').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Source').selectOption('builtin')
    await page.getByRole('button', { name: 'Create the project' }).click()
    await page.getByRole('heading', { level: 1, name: 'My docs' }).waitFor()
    await page.getByText('0 of 3 done').waitFor()
    expect(await page.getByText('git clone').textContent()).toContain(`${stage.server.url}/git/my-docs.git`)
    expect(await page.getByRole('button', { name: 'Seed sample traffic' }).count()).toBe(0)

    const projectId = /prj_\w+/.exec(page.url())![0]
    const command = String(await page.getByText('/v2/agent/').textContent())
    const [, body, url] = /-d '(\{.*\})'[\s\S]*?(http\S+)/.exec(command)!
    const headers = { 'content-type': 'application/json' }
    const job = await stage.server.fetch(new URL(url!).pathname, { method: 'POST', headers, body: body! })
    expect(job.status).toBe(201)
    // As the command of the third step reads it.
    const site = await stage.server.fetch('/sites/my-docs/', {
      key: null,
      headers: { 'user-agent': 'claude-code/2.0.1' },
    })
    expect(site.status).toBe(200)
    await until(async () => (await visitorsOf(projectId)).ai === 1)
    await page.reload()
    await page.getByText('2 of 3 done').waitFor()
    await page.getByRole('link', { name: 'Pull request' }).waitFor()
    await page.close()
  }, 90_000)

  test('the demo project takes sample traffic, shows it, and gives it up again', async () => {
    const page = await stage.open(`/p/${stage.projectId}`)
    await page.getByRole('button', { name: 'Seed sample traffic' }).click()
    await page.getByText('made-up views are in the reports').waitFor()
    const { human, ai } = await visitorsOf(stage.projectId)
    expect(human).toBeGreaterThan(100)
    expect(ai).toBeGreaterThan(50)
    await page
      .getByRole('definition')
      .filter({ hasText: new RegExp(`^${human}$`) })
      .waitFor()
    await page.getByRole('img', { name: /Visitors by day\. The busiest/ }).waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await accessibilityFaults(page), colorScheme).toEqual([])
    }
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await scrollsSideways(page)).toBe(false)
    await page.getByRole('button', { name: 'Remove it' }).click()
    await page.getByText('made-up views are deleted').waitFor()
    expect(await visitorsOf(stage.projectId)).toEqual({ human: 0, ai: 0, total: 0 })
    await page.close()
  }, 90_000)

  test('no page complained', () => {
    expect(stage.complaints).toEqual([])
  })
})
