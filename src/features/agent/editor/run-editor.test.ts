import { describe, expect, test } from 'vitest'
import { changesOf } from '#tests/harness/memory-tree.ts'
import { createTestRun, pageCache } from '#tests/harness/models/test-run.ts'
import { createEditorAgent } from './run-editor.ts'

const edit = createEditorAgent({ pageCache })

const files = {
  'docs.json':
    '{\n  "name": "Acme",\n  "navigation": { "groups": [{ "group": "Guides", "pages": ["index", "guides/setup"] }] }\n}\n',
  'index.mdx': '---\ntitle: Home\n---\n\nWelcome to Acme. See [setup](/guides/setup) and [more](/guides/stup).\r\n',
  'guides/setup.mdx': '---\ntitle: Setup # short\n---\n\nInstall Acme.  \n',
  'guides/broken.mdx': '<Card>\n',
  'AGENTS.md': 'About Acme.\n',
}

test('each instruction is done in its order, reported and summed up', async () => {
  const run = createTestRun({
    files,
    prompt: `1. Replace "Acme" with "Apex".
2. Rename page guides/setup to install; set title to "Install" in install
3. Add page guides/next titled "What next?" with "See [install](/install)." and then fix broken links.`,
  })
  const { title, summary } = await edit(run)

  expect(changesOf(run.tree)).toEqual({
    'docs.json': expect.stringContaining('"pages": ["index", "install", "guides/next"]'),
    'index.mdx': '---\ntitle: Home\n---\n\nWelcome to Apex. See [setup](/install) and [more](/guides/stup).\r\n',
    'guides/setup.mdx': null,
    'install.mdx': '---\ntitle: Install # short\n---\n\nInstall Apex.  \n',
    'guides/next.mdx': '---\ntitle: What next?\n---\n\nSee [install](/install).\n',
  })
  expect(title).toBe('Replace “Acme” with “Apex” in 3 files, and 3 more edits')
  expect(summary).toContain('- Replaced `Acme` with `Apex`: 3 occurrences in 3 files.')
  expect(summary).toContain('  - `guides/setup.mdx` → `install.mdx`')
  expect(summary).toContain('Redirect: `/guides/setup` → `/install`')
  expect(summary).toContain('Left: `/guides/stup` in `index.mdx`, line 5')
  expect(run.reports.map(({ type, text }) => [type, text])).toEqual([
    ['tool', 'Replace "Acme" with "Apex": replaced 3 occurrences in 3 files'],
    ['tool', 'Rename page guides/setup to install: moved 1 file, rewrote 1 link'],
    ['tool', 'set title to "Install" in install: set title in install.mdx'],
    ['tool', expect.stringMatching(/^Add page guides\/next .*: added guides\/next\.mdx$/)],
    ['tool', 'fix broken links: nothing to change'],
    ['check', expect.stringMatching(/^Checked 4 pages: 0 new problems/)],
  ])
})

test('with nothing to change it says so, and checks nothing', async () => {
  const run = createTestRun({ files, prompt: 'replace "nowhere" with "x"; set title to "Setup" in guides/setup' })
  const { summary } = await edit(run)
  expect(summary).toMatch(/^There was nothing to change\.\n\n- `nowhere` does not occur; nothing to replace\./)
  expect(run.tree.changes()).toEqual([])
  expect(run.reports.map(({ type }) => type)).toEqual(['tool', 'tool'])
})

test('what is not understood fails before anything is changed', async () => {
  const run = createTestRun({ files, prompt: 'replace "Acme" with "Apex"; make it nicer' })
  await expect(edit(run)).rejects.toMatchObject({ kind: 'unsupported', code: 'editor.not_understood' })
  expect(run.tree.changes()).toEqual([])
  expect(run.saved).toEqual([])
})

describe('what is understood and cannot be done fails with its reason', () => {
  test.each([
    ['rename page guides/stup to x', /There is no page guides\/stup\. Did you mean guides\/setup\.mdx\?/],
    ['rename page index to guides/setup', /There is a page guides\/setup\.mdx already/],
    ['replace "a" with "b" in nothing.txt', /There is no file nothing\.txt/],
    ['replace "" with "b"', /empty/],
    ['add page index titled "X"', /There is a page index\.mdx already/],
    ['add page .github/x titled "X"', /\.github/],
    ['set title to "X" in nowhere', /There is no page nowhere/],
    ['replace "About" with "X" in AGENTS.md', /AGENTS\.md/],
  ])('%s', async (prompt, message) => {
    const run = createTestRun({ files, prompt })
    await expect(edit(run)).rejects.toThrow(message)
    expect(run.tree.changes()).toEqual([])
    expect(run.reports).toMatchObject([{ type: 'tool', ok: false }])
  })
})

test('closed files are left as they are and named', async () => {
  const run = createTestRun({ files, prompt: 'replace "Acme" with "Apex"' })
  const { summary } = await edit(run)
  expect(Object.keys(changesOf(run.tree))).not.toContain('AGENTS.md')
  expect(summary).toContain('`AGENTS.md` has it too and was left as it is')
})

describe('an edit that would break a page fails', () => {
  test.each([
    ['replace "Install Acme." with "<Card>"', /would break guides\/setup\.mdx, line \d/],
    ['replace "Setup # short" with "a: b: c" in guides/setup', /would break guides\/setup\.mdx/],
    ['replace "\\"Acme\\"" with "Acme" in docs.json', /would break docs\.json/],
  ])('%s', async (prompt, message) => {
    await expect(edit(createTestRun({ files, prompt }))).rejects.toMatchObject({
      code: 'editor.breaks_page',
      message: expect.stringMatching(message),
    })
  })

  test('but not one that moves a page which was broken before', async () => {
    const run = createTestRun({
      files,
      prompt: 'move page guides/broken to old/broken; move page old/broken to older/',
    })
    const { summary } = await edit(run)
    expect(Object.keys(changesOf(run.tree))).toContain('older/broken.mdx')
    expect(summary).not.toContain('introduces')
  })

  test('other problems that it introduces are named', async () => {
    const run = createTestRun({ files, prompt: 'replace "/guides/setup" with "/gone"' })
    const { summary } = await edit(run)
    expect(summary).toContain(
      '1 problem that this change introduces:\n\n- `index.mdx`, line 5: The link /gone leads to nothing.',
    )
    expect(run.reports.at(-1)).toMatchObject({ type: 'check', introduced: 1 })
  })
})

test('a run that was killed goes on after any of its steps, to the same result', async () => {
  const prompt =
    'replace "Acme" with "Apex"\nrename page guides/setup to install\nset title to "X" in install\nfix broken links'
  const whole = createTestRun({ files, prompt })
  const outcome = await edit(whole)
  expect(whole.saved).toHaveLength(4)
  for (let kept = 0; kept <= 4; kept++) {
    const again = createTestRun({ files, prompt, from: whole.saved.slice(0, kept) })
    expect(await edit(again)).toEqual(outcome)
    expect(changesOf(again.tree)).toEqual(changesOf(whole.tree))
    expect(again.saved).toEqual(whole.saved)
  }
})

test('it keeps to the budgets', async () => {
  const prompt = 'replace "Acme" with "Apex"'
  await expect(edit(createTestRun({ files, prompt, budgets: { files: 2 } }))).rejects.toMatchObject({
    code: 'editor.too_many_files',
    message: expect.stringContaining('3 files; a job may change 2'),
  })
  await expect(edit(createTestRun({ files, prompt, budgets: { patchBytes: 100 } }))).rejects.toMatchObject({
    code: 'editor.patch_too_large',
  })
})

test('it stops when it is told to, before a step and in one', async () => {
  const aborted = AbortSignal.abort(new Error('archived'))
  const run = createTestRun({ files, prompt: 'replace "Acme" with "Apex"', signal: aborted })
  await expect(edit(run)).rejects.toThrow('archived')
  expect(run.tree.changes()).toEqual([])

  const controller = new AbortController()
  const stopped = createTestRun({
    files,
    prompt: 'replace "Acme" with "Apex"; fix broken links',
    signal: controller.signal,
    saveStep: async () => controller.abort(new Error('archived')),
  })
  await expect(edit(stopped)).rejects.toThrow('archived')
  expect(stopped.saved).toHaveLength(1)
})

test('texts of a prompt cannot break out of the summary', async () => {
  const run = createTestRun({ files, prompt: 'replace "Acme" with "`x` ![y](https://example.com/z)\n# Head"' })
  const { title, summary } = await edit(run)
  expect(title.split('\n')).toHaveLength(1)
  expect(summary).toContain('``` `x` ![y](https://example.com/z) # Head ```'.replaceAll('```', '``'))
})
