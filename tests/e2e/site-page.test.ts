import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '#tests/harness/browser.ts'
import { type FolderSite, serveFolderSite } from '#tests/harness/folder-site.ts'
import { chromiumPath } from '#tests/harness/system-programs.ts'
import { until } from '#tests/harness/until.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const everything = `---
title: Everything
description: A page with **each** of the usual parts.
---

Words with [a link](/setup), \`code\`, <kbd>K</kbd>, <Tooltip tip="Said more closely.">a tooltip</Tooltip> and a note[^1].

[^1]: The note.

<Note>Good to know.</Note>
<Warning>Take care, see [setup](/setup).</Warning>
<Tip>Shorter.</Tip>
<Danger>Gone for ever.</Danger>

## First part

<CodeGroup>
\`\`\`bash npm
npm install acme # the usual way
\`\`\`
\`\`\`bash pnpm
pnpm add acme
\`\`\`
</CodeGroup>

\`\`\`ts server.ts {2} lines
import { serve } from 'acme'
await serve({ port: 8080 })
\`\`\`

<CardGroup cols={2}>
  <Card title="Setup" icon="rocket" href="/setup">Two minutes.</Card>
  <Card title="Words alone">Nothing to open.</Card>
</CardGroup>

## Second part

<Tabs>
  <Tab title="macOS">Use brew.</Tab>
  <Tab title="Linux">Use apt.</Tab>
</Tabs>

<Steps>
  <Step title="Make">Make it.</Step>
  <Step title="Do">Do it.</Step>
</Steps>

<AccordionGroup>
  <Accordion title="Why?">Because of $x^2$.</Accordion>
  <Accordion title="How?">So.</Accordion>
</AccordionGroup>

### Third part

| Setting | Meaning |
| --- | --- |
| \`port\` | Where it listens |

| Another | Table |
| --- | --- |
| With | Words |

<ParamField query="limit" type="integer" required default="20">How many.</ParamField>
<ResponseField name="items" type="array">What was found.<Expandable title="properties"><ResponseField name="id" type="string">Its id.</ResponseField></Expandable></ResponseField>

<Badge color="green">Stable</Badge> <Badge color="yellow">Soon</Badge> <Badge color="red" stroke>Gone</Badge>

<Update label="March 2026" tags={["API"]}>New things.</Update>

\`\`\`mermaid
flowchart LR
  A[Write] --> B[Read]
\`\`\`
`

const files = {
  'docs.json': JSON.stringify({
    name: 'Acme docs',
    colors: { primary: '#ff5a1f', light: '#ff7a45', dark: '#c2410c' },
    navbar: {
      links: [{ label: 'Blog', href: 'https://blog.example.com' }],
      primary: { type: 'button', label: 'Start', href: '/setup' },
    },
    footer: { socials: { github: 'https://github.com/acme' } },
    banner: { content: 'Version 2 is [here](/setup)', dismissible: true },
    api: { openapi: 'openapi.json' },
    navigation: {
      tabs: [
        {
          tab: 'Guides',
          groups: [{ group: 'Start', pages: ['index', 'setup', { group: 'More', pages: ['everything'] }] }],
        },
        { tab: 'Other', groups: [{ group: 'Else', pages: ['other', 'add-a-pet'] }] },
      ],
    },
  }),
  'index.mdx': '---\ntitle: Welcome\n---\n\nHello.\n',
  'setup.mdx': '---\ntitle: Set up\n---\n\n## Install the marmalade\n\nSpread it.\n',
  'everything.mdx': everything,
  'add-a-pet.mdx': '---\ntitle: Add a pet\nopenapi: POST /pets/{shop}\n---\n',
  'openapi.json': JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: {
      '/pets/{shop}': {
        post: {
          summary: 'Add a pet',
          parameters: [{ name: 'shop', in: 'path', required: true, schema: { type: 'string' } }],
          requestBody: {
            content: {
              'application/json': {
                schema: { type: 'object', properties: { name: { type: 'string', deprecated: true } } },
              },
            },
          },
          responses: { 201: { description: 'Made', content: { 'application/json': { example: { name: 'Rex' } } } } },
        },
      },
    },
  }),
  'other.mdx': '---\ntitle: Other\n---\n\nMarmalade is mentioned here too.\n',
}

describe.runIf(chromiumPath !== null)('a page of a site in a browser', () => {
  let browser: Browser
  let site: FolderSite
  const problems: string[] = []

  beforeAll(async () => {
    ;[browser, site] = await Promise.all([openBrowser(chromiumPath!), serveFolderSite(files)])
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  async function open(
    path: string,
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<[Page, BrowserContext]> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
    const page = await context.newPage()
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(site.origin)) problems.push(`asked ${request.url()}`)
    })
    await page.goto(site.origin + path)
    return [page, context]
  }

  test.each([
    ['/everything', 'light', 1280],
    ['/everything', 'dark', 390],
    ['/add-a-pet', 'dark', 1280],
    ['/add-a-pet', 'light', 390],
  ] as const)('has nothing that keeps people out: %s in %s, %i wide', async (path, colorScheme, width) => {
    const [page, context] = await open(path, { colorScheme, viewport: { width, height: 800 } })
    await page.waitForSelector(path === '/everything' ? '.mermaid svg' : '.examples')
    // What is closed is read too.
    await page.evaluate(`document.querySelectorAll('.prose details').forEach((closed) => { closed.open = true })`)
    await page.evaluate(axe)
    const { violations } = await page.evaluate<AxeResults>(
      `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] })`,
    )
    const found = violations.map(
      ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map((node) => node.html).join(' | ')}`,
    )
    expect(found).toEqual([])
    await context.close()
  })

  test('is searched by keyboard alone, and what was chosen is told', async () => {
    const [page, context] = await open('/')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('marmalade')
    await page.waitForSelector('.search-hit')
    expect(await page.locator('[role="option"][aria-selected="true"]').count()).toBe(1)
    const chosen = () => page.locator('input[role="combobox"]').getAttribute('aria-activedescendant')
    const first = await chosen()
    await page.keyboard.press('ArrowDown')
    expect(await chosen()).not.toBe(first)
    await page.keyboard.press('ArrowUp')
    expect(await page.locator('.search-hit').first().textContent()).toMatch(/marmalade/i)
    const [href] = await page.locator('.search-hit').evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    await page.keyboard.press('Enter')
    await page.waitForURL(site.origin + href)
    const click = await until(async () => site.recorded.find(({ kind }) => kind === 'click') ?? false, {
      withinMs: 5_000,
      waitingFor: 'the click',
    })
    expect(click).toMatchObject({ searchId: 'search-1', path: href!.split('#')[0] })
    expect(site.recorded.filter(({ kind }) => kind === 'search')).toMatchObject([{ query: 'marmalade' }])
    await page.keyboard.press('/')
    await page.keyboard.type('zzzzqqqq')
    await page.getByText('Nothing found for').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.locator('dialog[open]').count()).toBe(0)
    await context.close()
  })

  test('has its navigation in a drawer on a phone, without any script', async () => {
    const [page, context] = await open('/setup', { javaScriptEnabled: false, viewport: { width: 390, height: 800 } })
    const link = page.locator('#docent-sidebar a[href="/everything"]')
    expect(await link.isVisible()).toBe(false)
    await page.click('[popovertarget="docent-sidebar"].drawer-open')
    await page.click('#docent-sidebar summary')
    await link.click()
    await page.waitForURL(`${site.origin}/everything`)
    await context.close()
  })

  test('shows everything without any script but what needs one', async () => {
    const [page, context] = await open('/everything', { javaScriptEnabled: false })
    expect(await page.locator('.sidebar [aria-current="page"]').isVisible()).toBe(true)
    for (const text of ['Use brew.', 'Use apt.', 'pnpm add acme', 'flowchart LR']) {
      expect(await page.getByText(text).first().isVisible()).toBe(true)
    }
    expect(await page.locator('.needs-js:visible').count()).toBe(0)
    await context.close()
  })

  test('follows the system in light and dark, until the reader chooses', async () => {
    const [page, context] = await open('/', { colorScheme: 'dark' })
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    const dark = await background()
    await page.click('[data-theme-switch]')
    const light = await background()
    expect(light).not.toBe(dark)
    await page.goto(`${site.origin}/setup`)
    expect(await background()).toBe(light)
    await page.click('[data-theme-switch]')
    expect(await background()).toBe(dark)
    await context.close()
  })

  test('keeps one choice of tab for all, over pages', async () => {
    const [page, context] = await open('/everything')
    await page.getByRole('tab', { name: 'pnpm' }).click()
    expect(await page.getByText('pnpm add acme').isVisible()).toBe(true)
    expect(await page.getByText('npm install acme').isVisible()).toBe(false)
    await page.reload()
    expect(await page.getByText('pnpm add acme').isVisible()).toBe(true)
    await page.getByRole('tab', { name: 'macOS' }).focus()
    await page.keyboard.press('ArrowRight')
    expect(await page.getByText('Use apt.').isVisible()).toBe(true)
    await context.close()
  })

  test('asks once whether it was helpful, with a comment or without', async () => {
    const [page, context] = await open('/setup')
    await page.getByRole('button', { name: 'No', exact: true }).click()
    await page.getByLabel('What should we know?').fill('Too sweet.')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Thank you').waitFor()
    const said = () => site.recorded.filter(({ kind }) => kind === 'feedback')
    expect(said()).toMatchObject([{ path: '/setup', said: { helpful: false, comment: 'Too sweet.' } }])
    await page.goto(`${site.origin}/other`)
    await page.getByRole('button', { name: 'Yes', exact: true }).click()
    await page.goto(`${site.origin}/`)
    await until(async () => said().length === 2, { withinMs: 5_000, waitingFor: 'the answer of one who left' })
    expect(said()[1]).toMatchObject({ path: '/other', said: { helpful: true } })
    await context.close()
  })

  test('keeps a banner closed that was closed', async () => {
    const [page, context] = await open('/')
    expect(await page.getByText('Version 2').isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Close this announcement' }).click()
    await page.reload()
    expect(await page.getByText('Version 2').isVisible()).toBe(false)
    await context.close()
  })

  test('copies code and the page as Markdown', async () => {
    const [page, context] = await open('/everything')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin })
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
    await page.locator('.code-block:has-text("import")').getByRole('button', { name: 'Copy' }).click()
    expect(await clipboard()).toBe("import { serve } from 'acme'\nawait serve({ port: 8080 })")
    await page.locator('.copy-page > button').click()
    await until(async () => (await clipboard()).includes('# Everything'), { withinMs: 5_000, waitingFor: 'the page' })
    await context.close()
  })

  test('has asked nobody else for anything, and broke no policy', () => {
    expect(problems).toEqual([])
  })
})
