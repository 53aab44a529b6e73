// The page Visitors against a real server: every number on it is the API's.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { AgentReport, ReferrerReport, Timeseries, ViewReport, VisitorReport } from '../../../web/src/api/client.ts'
import {
  accessibilityFaults,
  type DashboardStage,
  openDashboardStage,
  scrollsSideways,
} from '../../harness/dashboard-stage.ts'
import { chromiumPath } from '../../harness/system-programs.ts'

/** What the API answers. */
interface Reports {
  visitors: VisitorReport
  views: ViewReport
  agents: AgentReport
  referrers: ReferrerReport
  timeseries: Timeseries
}

const dayMs = 86_400_000
const today = new Date().toISOString().slice(0, 10)
const day = (distance: number) => new Date(Date.parse(today) + distance * dayMs).toISOString().slice(0, 10)

const gptbot = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** People and AI clients over two months; more pages than fit on one; one visitor who is both. */
function sampleEvents(): object[] {
  const at = (distance: number, hour = 0) => new Date(Date.parse(day(distance)) + hour * 3_600_000).toISOString()
  const pages = Array.from({ length: 45 }, (_, page) => `/guides/page-${String(page).padStart(2, '0')}`)
  const people = pages.flatMap((path, page) =>
    Array.from({ length: (page % 4) + 1 }, (_, reader) => {
      const referrer = [null, 'https://search.example/find', 'https://forum.example/t/1', null][reader]
      const age = (page * 7 + reader * 11) % 62
      return { path, visitorId: `reader-${page % 9}-${reader}`, timestamp: at(-age, age === 0 ? 0 : 12), referrer }
    }),
  )
  const machines = pages.slice(0, 30).map((path, page) => ({
    path,
    ip: `203.0.113.${page % 5}`,
    userAgent: [gptbot, 'claude-code/2.0.1', 'ChatGPT-User/1.0'][page % 3],
    timestamp: at(-(page % 20), page % 20 === 0 ? 0 : 9),
  }))
  const both = { path: '/API/Keys', visitorId: 'both', timestamp: at(-1, 10) }
  return [...people, ...machines, both, { ...both, category: 'agent' }]
}

// What pages do does not depend on the database.
describe.skipIf(!chromiumPath || inject('engine') !== 'pglite')('the page Visitors', () => {
  let stage: DashboardStage
  let page: Page

  beforeAll(async () => {
    stage = await openDashboardStage()
  }, 180_000)
  afterAll(() => stage?.close())

  const address = (report: string, query: Record<string, string> = {}) =>
    `/v1/analytics/${stage.projectId}/${report}?${new URLSearchParams(query)}`
  async function ask<Name extends keyof Reports>(report: Name, query: Record<string, string> = {}) {
    return (await (await stage.server.fetch(address(report, query))).json()) as Reports[Name]
  }
  const askCsv = async (report: string, query: Record<string, string>) =>
    Buffer.from(
      await (await stage.server.fetch(address(report, query), { headers: { accept: 'text/csv' } })).arrayBuffer(),
    )

  /** The cells of a table, as text, once it has this many rows. */
  async function rowsOf(name: string | RegExp, count: number): Promise<string[][]> {
    const rows = page.getByRole('table', { name }).locator('tbody tr')
    await expect.poll(() => rows.count(), { timeout: 10_000 }).toBe(count)
    return await rows.evaluateAll((found) =>
      found.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent?.trim() ?? '')),
    )
  }

  async function choose(range: string): Promise<void> {
    await page.getByLabel('Range', { exact: true }).selectOption({ label: range })
  }

  const countsOf = (row: { path: string; human: number; ai: number; total: number }) => [
    row.path,
    String(row.human),
    String(row.ai),
    String(row.total),
  ]

  test('before the first view, it shows every way in, ready to paste', async () => {
    page = await stage.open(`/p/${stage.projectId}/visitors`)
    await page.getByText('Nobody has read these docs yet').waitFor()
    const snippets = await page.locator('pre').allTextContents()
    expect(snippets).toEqual([
      expect.stringContaining(`${stage.server.url}/sites/demo/`),
      `<script defer src="${stage.server.url}/analytics.js" data-project="${stage.projectId}"></script>`,
      'npx docent analytics import --project demo /var/log/nginx/docs.log*',
      expect.stringContaining(`${stage.server.url}/v1/analytics/${stage.projectId}/events`),
    ])
    expect(await accessibilityFaults(page)).toEqual([])
    await page.close()
  })

  test('numbers and what they are compared to are the API’s, over any range, and the address keeps the range', async () => {
    const body = JSON.stringify({ events: sampleEvents() })
    const headers = { 'content-type': 'application/json' }
    expect((await stage.server.fetch(address('events'), { method: 'POST', headers, body })).status).toBe(202)
    page = await stage.open(`/p/${stage.projectId}/visitors`)

    const check = async (from: string | null, to: string | null) => {
      const range = { ...(from && { dateFrom: from }), ...(to && { dateTo: to }) }
      const length = from && to ? (Date.parse(to) - Date.parse(from)) / dayMs : 0
      const before = from ? { dateFrom: new Date(Date.parse(from) - length * dayMs).toISOString(), dateTo: from } : null
      const numbers = async (query: Record<string, string>) => {
        const [visitors, views] = [await ask('visitors', query), await ask('views', query)]
        const { human, ai, total } = visitors.totals
        return { People: human, 'AI clients': ai, 'All visitors': total, Views: views.totals.total }
      }
      const [now, then] = [await numbers(range), before && (await numbers(before))]
      for (const [name, value] of Object.entries(now)) {
        const was = then?.[name as keyof typeof then]
        const tile = page.getByRole('article', { name, exact: true })
        const shown = async () => (await tile.locator('p').allTextContents()).slice(0, was === undefined ? 1 : 2)
        const compared = was === undefined ? [] : [expect.stringContaining(`before (${was})`)]
        await expect.poll(shown, { timeout: 10_000 }).toEqual([String(value), ...compared])
        if (was === undefined) continue
        const [, words] = await shown()
        const percent = was > 0 && value !== was ? / \([+−][\d.,]+ %\) than / : /than in|As many/
        expect(words).toMatch(percent)
        if (value !== was) expect(words).toContain(`${Math.abs(value - was)} ${value > was ? 'more' : 'fewer'}`)
      }
    }
    await check(day(-29), day(1))
    for (const [label, distance] of [
      ['Today', 0],
      ['Last 7 days', -6],
      ['Last 90 days', -89],
    ] as const) {
      await choose(label)
      await check(day(distance), day(1))
    }
    await choose('All time')
    await check(null, null)
    await choose('Custom dates')
    await page.getByLabel('From (included)').fill(day(-20))
    await page.getByLabel('To (not included)').fill(day(-20))
    expect(await page.getByRole('button', { name: 'Show' }).isDisabled()).toBe(true)
    await page.getByLabel('To (not included)').fill(day(-10))
    await page.getByRole('button', { name: 'Show' }).click()
    await check(day(-20), day(-10))
    expect(new URL(page.url()).search).toBe(`?range=custom&from=${day(-20)}&to=${day(-10)}`)
    await page.reload()
    await check(day(-20), day(-10))
    await choose('Last 30 days')
  })

  test('the chart tells its points by keyboard, and a table has the same numbers', async () => {
    const range = { dateFrom: day(-29), dateTo: day(1), interval: 'day' }
    const { timeseries } = await ask('timeseries', range)
    const chart = page.locator('figure svg.recharts-surface[role="application"]')
    await chart.focus()
    await page.keyboard.press('ArrowRight')
    const tip = page.locator('figure').getByRole('status')
    const second = timeseries[1]!.visitors
    await expect.poll(() => tip.textContent()).toContain(`People: ${second.human}AI clients: ${second.ai}`)
    expect(await page.getByRole('list', { name: 'Legend' }).getByRole('listitem').allTextContents()).toEqual([
      'People',
      'AI clients',
    ])
    await page.getByLabel('Show the period before').check()
    await page.getByText('The period before', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Table', exact: true }).click()
    const before = await ask('timeseries', { dateFrom: day(-59), dateTo: day(-29), interval: 'day' })
    const expected = timeseries
      .map(({ visitors }, place) => {
        const was = before.timeseries[place]!.visitors
        return [visitors.human, visitors.ai, visitors.total, was.human, was.ai].map(String)
      })
      .reverse()
    expect((await rowsOf('Unique visitors by day', 30)).map((cells) => cells.slice(1))).toEqual(expected)
    await page.getByLabel('Count', { exact: true }).selectOption('views')
    const views = (await rowsOf('Views by day', 30)).map((cells) => cells.slice(1, 4))
    const counted = timeseries.map(({ views: { human, ai, total } }) => [human, ai, total].map(String))
    expect(views).toEqual(counted.reverse())
  })

  test('pages are sorted, filtered and paged as the API does it, and come as the same CSV', async () => {
    await choose('All time')
    const limit = { limit: '20', offset: '0' }
    const shown = async (query: Record<string, string>, report: 'visitors' | 'views' = 'visitors') => {
      const wanted = { ...limit, ...query }
      const found = report === 'views' ? (await ask('views', wanted)).views : (await ask('visitors', wanted)).visitors
      const rows = found.map(countsOf)
      const name = report === 'views' ? 'Views by page' : 'Unique visitors by page'
      await expect.poll(() => rowsOf(name, rows.length), { timeout: 10_000 }).toEqual(rows)
      return rows
    }
    const header = (name: string) => page.getByRole('table', { name: /by page/ }).getByRole('button', { name })
    await shown({})
    await header('AI clients').click()
    await shown({ sort: 'ai', order: 'desc' })
    await header('AI clients').click()
    await shown({ sort: 'ai', order: 'asc' })
    await header('Page').focus()
    await page.keyboard.press('Enter')
    await shown({ sort: 'path', order: 'asc' })
    const sorted = page.getByRole('columnheader', { name: 'Page', exact: true }).first()
    expect(await sorted.getAttribute('aria-sort')).toBe('ascending')
    await header('People').click()
    const pager = page.getByRole('navigation', { name: 'Steps through the pages' })
    await pager.getByRole('button', { name: 'Next' }).click()
    await shown({ sort: 'human', order: 'desc', offset: '20' })
    await pager.getByRole('button', { name: 'Next' }).click()
    await shown({ sort: 'human', order: 'desc', offset: '40' })
    expect(await pager.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true)

    await page.getByLabel('Filter by path').fill('PAGE-3')
    const query = { sort: 'human', order: 'desc', path: 'PAGE-3' }
    expect(await shown(query)).toHaveLength(10)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV of pages' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('demo-pages-all-time.csv')
    expect(await readFile(await file.path())).toEqual(await askCsv('visitors', { ...limit, ...query }))
    await page.getByLabel('Count by page').selectOption('views')
    await shown(query, 'views')
    const link = page.getByRole('table', { name: 'Views by page' }).getByRole('link').first()
    expect(await link.getAttribute('href')).toMatch(/\/sites\/demo\/guides\/page-3\d$/)
    await page.getByLabel('Filter by path').fill('nowhere')
    await page.getByText('No page in this range has “nowhere” in its path.').waitFor()
    await page.getByLabel('Filter by path').fill('')
  })

  test('AI clients are told by name, kind and reason, referrers by host and address, each as CSV too', async () => {
    const { agents } = await ask('agents', { limit: '20' })
    const clients = await rowsOf('AI clients', agents.length)
    expect(clients.map((cells) => [cells[0], cells[2], cells[3]])).toEqual(
      agents.map((agent) => [agent.client, String(agent.visitors), String(agent.views)]),
    )
    const row = clients.find(([client]) => client === 'GPTBot')
    expect(row).toEqual(expect.arrayContaining(['Training', 'Claimed']))
    expect(row).toContain('Its user agent names GPTBot, which is on the list of known clients.')
    expect(clients.find(([client]) => client === 'unnamed')?.[5]).toBe(
      'Whoever sent the view by the events API said so.',
    )

    for (const by of ['host', 'url']) {
      await page.getByLabel('Group referrers by').selectOption(by)
      const { referrers } = await ask('referrers', { limit: '20', by })
      const expected = referrers.map(({ referrer, human, ai, total, views }) => [
        referrer ?? 'Direct, or not said',
        ...[human, ai, total, views].map(String),
      ])
      await expect.poll(() => rowsOf('Visitors by referrer', expected.length)).toEqual(expected)
    }
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV of referrers' }).click(),
    ])
    expect(await readFile(await file.path())).toEqual(await askCsv('referrers', { limit: '20', by: 'url' }))
  })

  test('a user agent is explained by the project’s own rules, and a wrong address is told beside its field', async () => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ rules: [{ userAgent: 'acme-bot', category: 'agent', client: 'Acme' }] })
    await stage.server.fetch(address('settings'), { method: 'PATCH', headers, body })
    const explain = async (userAgent: string, ip = '') => {
      await page.getByLabel('User agent').fill(userAgent)
      await page.getByLabel('Address', { exact: true }).fill(ip)
      await page.getByRole('button', { name: 'Explain' }).click()
    }
    await explain('acme-bot/1')
    await page.getByText('Rule 1 of this project’s analytics settings says so.').waitFor()
    expect((await rowsOf(/Every rule in its order/, 7))[0]).toEqual([
      'the project’s own rules decides',
      'agent: project rule 1',
    ])
    await explain(firefox)
    await page.getByText('Counts as a person').waitFor()
    await explain(firefox, '1.2.3')
    await page.getByText('expected an IPv4 or IPv6 address').waitFor()
    expect(await page.getByLabel('Address', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    await explain(firefox)
  })

  test('what readers said and searched for is there', async () => {
    const site = `${stage.server.url}/sites/demo`
    const headers = { 'content-type': 'application/json', origin: stage.server.url }
    const said = JSON.stringify({ path: '/', helpful: false, comment: 'Where is the file?' })
    const answer = await fetch(`${site}/_docent/feedback`, { method: 'POST', headers, body: said })
    expect(answer.status, await answer.text()).toBe(204)
    expect((await fetch(`${site}/_docent/search?q=webhooks&final=1`)).status).toBe(200)
    await page.reload()
    expect((await rowsOf('Feedback of readers', 1))[0]).toEqual(expect.arrayContaining(['No', 'Where is the file?']))
    expect((await rowsOf('Searches of readers', 1))[0]!.slice(0, 3)).toEqual(['webhooks', '1', '0 %'])
  })

  test('nothing is wrong with it for anybody: light, dark, on a phone', async () => {
    await page.getByLabel('Show the period before').waitFor({ state: 'detached' })
    await choose('Last 30 days')
    await rowsOf(/by page/, 20)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await accessibilityFaults(page)).toEqual([])
    }
    await page.setViewportSize({ width: 390, height: 844 })
    // The chart is drawn anew for the narrower screen.
    await expect.poll(() => scrollsSideways(page)).toBe(false)
    expect(stage.complaints).toEqual([])
  })
})
