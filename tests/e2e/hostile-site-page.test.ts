import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '#tests/harness/browser.ts'
import { type FolderSite, serveFolderSite } from '#tests/harness/folder-site.ts'
import { chromiumPath } from '#tests/harness/system-programs.ts'

const diagram = (text: string) => `\n\`\`\`mermaid\n${text}\n\`\`\`\n`

const files = {
  'docs.json': JSON.stringify({ name: 'Hostile', navigation: { pages: ['index', 'names', 'classes', 'diagrams'] } }),
  'index.mdx': '---\ntitle: Start\n---\n\nHello.\n',
  // Headings are anchors: each of these is an id that a page of ours could have.
  'names.mdx': `---\ntitle: Names\n---\n\n## Sidebar\n\n## Content\n\n## Diagram 0\n\n<div id="docent-sidebar">x</div>\n${diagram('graph TD\n A --> B')}`,
  'classes.mdx': `---\ntitle: Classes\n---

<div className="prompt">x</div>
<div className="prompt"><div className="prompt-head">y</div></div>
<div className="contents"><a href="#%E0%A4%A">x</a></div>
<div className="code-block">x</div>
<div className="view">x</div>
<div className="view">y</div>
<pre className="mermaid">graph</pre>
`,
  'diagrams.mdx': `---\ntitle: Diagrams\n---\n${[
    'graph TD\n A["<img src=x onerror=window.ran=1>"] --> B["<script>window.ran=1</script>"]\n click A "javascript:window.ran=1"',
    '%%{init: {"securityLevel":"loose","flowchart":{"htmlLabels":true}}}%%\ngraph TD\n A["<img src=x onerror=window.ran=1>"]\n click A call alert(1)',
    '%%{init: {"themeCSS": "&{position:fixed!important;top:0;left:0;width:100vw!important;height:100vh!important;max-width:none!important;z-index:9999} *{position:fixed;top:0;left:0}"}}%%\ngraph TD\n A --> B',
    '---\nconfig:\n  securityLevel: loose\n  themeCSS: "} body { opacity: 0 } x {"\n---\nsequenceDiagram\n Alice->>Bob: <a href="javascript:window.ran=1">x</a>',
    '%%{init: {"fontFamily": "x;} body{opacity:0} y{", "themeVariables": {"fontFamily": "x;} body{opacity:0} y{"}}}%%\ngraph TD\n A --> B',
  ]
    .map(diagram)
    .join('')}`,
}

describe.runIf(chromiumPath !== null)('what a page brings', () => {
  let browser: Browser
  let site: FolderSite
  let page: Page
  const faults: string[] = []

  beforeAll(async () => {
    ;[browser, site] = await Promise.all([openBrowser(chromiumPath!), serveFolderSite(files)])
    page = await browser.newPage({ viewport: { width: 390, height: 800 } })
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('dialog', async (dialog) => {
      faults.push(dialog.message())
      await dialog.dismiss()
    })
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  test('takes no name away from what is around it', async () => {
    await page.goto(`${site.origin}/names`)
    await page.click('.drawer-open')
    expect(await page.locator('.sidebar').evaluate((drawer) => drawer.matches(':popover-open'))).toBe(true)
    await page.waitForSelector('.mermaid svg')
    expect(await page.locator('.prose h2').allTextContents()).toEqual(['Sidebar', 'Content', 'Diagram 0'])
    const links = await page.locator('.inline-contents a').evaluateAll((all) =>
      all.map((link) => {
        const id = decodeURIComponent(new URL((link as unknown as { href: string }).href).hash.slice(1))
        return link.ownerDocument.getElementById(id)?.localName
      }),
    )
    expect(links).toEqual(['h2', 'h2', 'h2'])
  })

  test.each(['/classes', '/classes#%E0%A4%A', '/names#%'])('stops no script: %s', async (path) => {
    await page.goto('about:blank')
    await page.goto(site.origin + path)
    await page.keyboard.press('Control+k')
    await page.waitForSelector('dialog.search[open]', { timeout: 5_000 })
    expect(faults).toEqual([])
  })

  test('draws inside its own frame, and nothing of it runs', async () => {
    await page.goto(`${site.origin}/diagrams`)
    await page.waitForFunction(`document.querySelectorAll('pre.mermaid:not([data-processed])').length === 0`)
    expect(await page.evaluate('window.ran ?? null')).toBeNull()
    expect(faults).toEqual([])
    expect(await page.evaluate('getComputedStyle(document.body).opacity')).toBe('1')
    const positions = await page.evaluate<string[]>(
      `[...document.querySelectorAll('pre.mermaid svg, pre.mermaid svg *')].map((one) => getComputedStyle(one).position)`,
    )
    expect(positions.length).toBeGreaterThan(20)
    expect(positions).not.toContain('fixed')
    const targets = await page.locator('pre.mermaid a').evaluateAll((all) => all.map((one) => one.outerHTML))
    expect(targets.join('')).not.toContain('javascript:')
  })
})
