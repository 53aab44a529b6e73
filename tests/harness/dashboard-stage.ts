import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { type ProcessSettings, type ServerProcess, startServerProcess } from './server-process.ts'
import { chromiumPath } from './system-programs.ts'
import { createTestDatabase } from './test-database.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

// A browser without a window calls itself one, and is counted as a bot.
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36'

export const owner = { name: 'Olga Owner', email: 'olga@example.com', password: 'correct horse battery' }

/** A real server with the demo project, and a browser in which its owner is signed in. */
export interface DashboardStage {
  server: ServerProcess
  browser: Browser
  /** The owner's. */
  context: BrowserContext
  /** A page of the dashboard, already open at this path of it, such as `/keys`. */
  open(
    path: string,
    options?: { context?: BrowserContext; viewport?: { width: number; height: number } },
  ): Promise<Page>
  /** A context nobody is signed in to. */
  stranger(): Promise<BrowserContext>
  /** The demo project. */
  projectId: string
  /** Everything that pages complained about so far: scripts' errors, and what the policy of the page refused. */
  complaints: string[]
  close(): Promise<void>
}

/**
 * Makes the owner by the link that the server prints, in the browser, as a person would. Where there is no Chromium, its
 * tests are skipped.
 */
export async function openDashboardStage(settings: ProcessSettings = {}): Promise<DashboardStage> {
  const database = await createTestDatabase()
  const server = await startServerProcess({ ...database.settings, demo: true, ...settings })
  const browser = await openBrowser(chromiumPath!)
  const complaints: string[] = []
  const newContext = async () => {
    const context = await browser.newContext({
      baseURL: server.url,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      userAgent,
      // Colours that are still fading from one scheme to the other have no contrast yet.
      reducedMotion: 'reduce',
    })
    context.setDefaultTimeout(30_000)
    context.on('weberror', (fault) => complaints.push(String(fault.error())))
    context.on('console', (message) => {
      if (/Content Security Policy|Refused to/i.test(message.text())) complaints.push(message.text())
    })
    return context
  }
  const context = await newContext()
  const setup = /\/app\/setup#token=\S+/.exec(server.output())?.[0]
  if (!setup) throw new Error(`The server printed no setup link: ${server.output()}`)
  const page = await context.newPage()
  await page.goto(setup)
  await page.getByLabel('Your name').fill(owner.name)
  await page.getByLabel('E-mail').fill(owner.email)
  await page.getByLabel('Password').fill(owner.password)
  await page.getByRole('button', { name: 'Create the owner' }).click()
  await page.waitForURL(/\/app\/p\/prj_/)
  const projectId = /prj_\w+/.exec(page.url())![0]
  await page.close()

  return {
    server,
    browser,
    context,
    projectId,
    complaints,
    stranger: newContext,
    async open(path, { context: chosen = context, viewport } = {}) {
      const opened = await chosen.newPage()
      if (viewport) await opened.setViewportSize(viewport)
      await opened.goto(`/app${path}`)
      return opened
    },
    async close() {
      await browser.close()
      await server.end('SIGTERM')
      await database.delete()
    },
  }
}

/** What axe finds wrong with the page as it stands, in words; minor things included. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // By the debugger's own way in, as the page's policy lets no script in.
  await page.evaluate(axe)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  )
  return violations.map(
    ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  )
}

/** Whether the page as a whole scrolls sideways. */
export async function scrollsSideways(page: Page): Promise<boolean> {
  return await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
}
