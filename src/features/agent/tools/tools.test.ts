import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changesOf } from '#tests/harness/memory-tree.ts'
import { createTestRun, pageCache, type TestRun, testFiles } from '#tests/harness/models/test-run.ts'
import { createFileMemory } from './file-memory.ts'
import { createToolRunner, type ToolAnswer } from './run-tool.ts'
import type { ToolContext } from './tool.ts'
import { tools } from './tools.ts'

type Files = Record<string, string | Buffer>

/** Tools on some files, called as a model would. */
function openTools(files: Files = testFiles, budgets = {}, docsPath = '') {
  const run: TestRun = createTestRun({ files, budgets, docsPath })
  const context: ToolContext = { run, memory: createFileMemory(), pageCache, refusals: 0 }
  const runner = createToolRunner(tools)
  const call = (name: string, input: object): Promise<ToolAnswer> => runner.call({ name, input, fault: null }, context)
  return { run, call, changed: () => changesOf(run.tree) }
}

describe('list', () => {
  test('shows all files, those of a folder, or those with a text in their path', async () => {
    const { call } = openTools()
    expect((await call('list', {})).text).toBe('3 files:\ndocs.json\nguides/setup.mdx\nindex.mdx')
    expect((await call('list', { folder: './guides/' })).text).toBe('1 file in guides:\nguides/setup.mdx')
    expect((await call('list', { pattern: 'INDEX' })).text).toBe('1 file:\nindex.mdx')
  })

  test('counts the files of folders where there are too many to show', async () => {
    const files = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`api/v${n % 2}/p${n}.mdx`, 'x']))
    const { call } = openTools({ ...files, 'index.mdx': 'x' })
    expect((await call('list', {})).text).toMatch(
      /^901 files:\napi\/v0\/p0\.mdx\n[\s\S]*\napi\/v1\/ \(450 files\)\nindex\.mdx$/,
    )
    const { text } = await call('list', { folder: 'api/v0' })
    expect(text.split('\n')).toHaveLength(451)
  })

  test('says so when there is nothing', async () => {
    const { call } = openTools()
    expect(await call('list', { folder: 'nowhere' })).toMatchObject({
      ok: false,
      text: expect.stringContaining('no such files in nowhere'),
    })
    expect((await call('list', { folder: 'index.mdx' })).text).toContain('It is a file: use read')
  })
})

describe('read', () => {
  test('numbers the lines and marks them as data', async () => {
    const { call } = openTools({ 'a.mdx': '\ufeffone\r\ntwo\r\n' })
    expect((await call('read', { path: 'a.mdx' })).text).toBe('<file path="a.mdx">\n     1\tone\n     2\ttwo\n</file>')
  })

  test('gives a range, says what is left, and finds a page without its ending', async () => {
    const { call } = openTools({ 'a.mdx': Array.from({ length: 30 }, (_, n) => `line ${n + 1}`).join('\n') })
    const { text, progress } = await call('read', { path: '/a', from: 29, to: 40 })
    expect(text).toContain('    29\tline 29\n    30\tline 30\n')
    expect(progress).toBe('Read a.mdx (lines 29 to 30 of 30)')
    expect((await call('read', { path: 'a', from: 3, to: 2 })).ok).toBe(false)
    expect((await call('read', { path: 'a', from: 31 })).text).toMatch(/has 30 lines; line 31 is beyond/)
  })

  test.each([
    'guides/setup',
    './guides/setup.md',
    'guides/setup.mdx:5',
    '/guides/setup#install',
    'docs/site/guides/setup',
  ])('takes %s for guides/setup.mdx', async (path) => {
    const { call } = openTools(testFiles, {}, 'docs/site')
    expect((await call('read', { path })).text).toContain('title: Setup')
  })

  test.each([
    ['2,000 lines', 'x\n'.repeat(5000), 2000],
    ['50 kB', `${'y'.repeat(991)}\n`.repeat(200), 50],
  ])('stops at %s and says where to go on', async (_what, text, lines) => {
    const { call } = openTools({ 'a.txt': text })
    const answer = await call('read', { path: 'a.txt' })
    expect(answer.text).toContain(`These are lines 1 to ${lines} of`)
    expect(answer.text).toContain(`Read from ${lines + 1} for more`)
    expect(Buffer.byteLength(answer.text)).toBeLessThan(51_000)
  })

  test('cuts a line that is too long by itself, which then counts as unread', async () => {
    const { call } = openTools({ 'a.txt': `${'z'.repeat(200_000)}end` })
    expect((await call('read', { path: 'a.txt' })).text.length).toBeLessThan(11_000)
    expect((await call('edit', { path: 'a.txt', oldText: 'end', newText: 'END' })).text).toMatch(/not read/)
  })

  test.each([
    ['a picture', Buffer.from([0x89, 0x50, 0, 1]), /not a text file/],
    ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0x41]), /not a text file/],
    ['an empty file', '', /is empty/],
  ])('says so of %s', async (_what, content, expected) => {
    const { call } = openTools({ 'a.bin': content })
    expect((await call('read', { path: 'a.bin' })).text).toMatch(expected)
  })

  test.each([
    ['setup.mdx', 'guides/setup.mdx'],
    ['guides/setpu.mdx', 'guides/setup.mdx'],
  ])('of %s asks whether %s was meant', async (path, meant) => {
    const { call } = openTools()
    expect((await call('read', { path })).text).toBe(`Error: There is no file ${path}. Did you mean ${meant}?`)
  })
})

describe('search', () => {
  test('finds a text in any case with its places, and an expression where asked', async () => {
    const { call } = openTools()
    const { text, progress } = await call('search', { text: 'ACME' })
    expect(text).toContain('guides/setup.mdx:5\tInstall Acme with npm.')
    expect(text).toContain('index.mdx:5\tWelcome to Acme.')
    expect(progress).toBe('Searched: 2 hits in 2 files')
    expect((await call('search', { text: 'ACME', caseSensitive: true })).text).toContain('Nothing found')
    expect((await call('search', { text: 'acme (with|without)', regex: true })).text).toContain('guides/setup.mdx:5')
    expect((await call('search', { text: 'acme', folder: 'guides' })).text).not.toContain('index.mdx')
  })

  test('takes a text as it is, dots and brackets included', async () => {
    const { call } = openTools({ 'a.mdx': 'axb\na.b\n(a|b\n' })
    expect((await call('search', { text: 'a.b' })).text).toContain('1 hit in 1 file')
    expect((await call('search', { text: '(a|b' })).text).toContain('a.mdx:3')
    expect((await call('search', { text: 'c*' })).text).toMatch(/Set regex if/)
    expect((await call('search', { text: 'axb|a.b' })).text).toContain('2 hits in 1 file')
    expect((await call('search', { text: '(a|b', regex: true })).text).toMatch(/no regular expression/)
  })

  test('shows a long line around what it found, and says when there is no such folder', async () => {
    const { call } = openTools({ 'a.mdx': `${'x'.repeat(2000)} needle ${'y'.repeat(2000)}\n` })
    const { text } = await call('search', { text: 'Needle' })
    expect(text).toMatch(/a\.mdx:1\t…x+ needle y+…/)
    expect(text.length).toBeLessThan(700)
    expect((await call('search', { text: 'x', folder: 'nowhere' })).text).toMatch(/no folder or file nowhere/)
  })

  test('shows 100 hits and counts the rest by file', async () => {
    const { call } = openTools({ 'a.mdx': 'hit\n'.repeat(90), 'b.mdx': 'hit\n'.repeat(30), 'c.mdx': 'hit\n'.repeat(7) })
    const { text } = await call('search', { text: 'hit' })
    expect(text.match(/:\d+\thit/g)).toHaveLength(100)
    expect(text).toContain('127 hits in 3 files')
    expect(text).toContain('Not shown:\nb.mdx: 20 more\nc.mdx: 7 more')
  })

  test.each(['(a+)+$', '(a|a)*$', '^(([a-z])+.)+[A-Z]([a-z])+$', '(.*)*x'])('is not held up by %s', async (pattern) => {
    const { call } = openTools({ 'a.mdx': `${'a'.repeat(50_000)}!\n` })
    const started = performance.now()
    const { text } = await call('search', { text: pattern, regex: true })
    expect(performance.now() - started).toBeLessThan(2000)
    expect(text).toMatch(/takes too long|Nothing found/)
  })

  test('leaves out pictures and large files', async () => {
    const { call } = openTools({
      'a.png': 'needle',
      'b.json': `needle ${'x'.repeat(1_000_001)}`,
      'c.md': Buffer.from('needle\0'),
    })
    expect((await call('search', { text: 'needle' })).text).toContain('Nothing found')
  })
})

describe('edit', () => {
  const page = 'alpha\nbeta\ngamma\nbeta\n'

  async function edited(text: string, input: object): Promise<{ answer: ToolAnswer; text: string }> {
    const { call, run } = openTools({ 'a.mdx': text })
    await call('read', { path: 'a.mdx' })
    const answer = await call('edit', { path: 'a.mdx', ...input })
    return { answer, text: (await run.tree.read('a.mdx'))!.toString('utf8') }
  }

  test.each([
    ['a passage', 'alpha\nbeta\n', { oldText: 'alpha', newText: 'ALPHA' }, 'ALPHA\nbeta\n'],
    ['every occurrence', page, { oldText: 'beta', newText: 'b', replaceAll: true }, 'alpha\nb\ngamma\nb\n'],
    ['away', page, { oldText: 'gamma\n', newText: '' }, 'alpha\nbeta\nbeta\n'],
    ['over lines', page, { oldText: 'beta\ngamma', newText: 'x\ny\nz' }, 'alpha\nx\ny\nz\nbeta\n'],
    ['where $& has no meaning', 'a\n', { oldText: 'a', newText: "$& $1 $' $$" }, "$& $1 $' $$\n"],
    [
      'in Windows lines',
      'one\r\ntwo\r\nthree\r\n',
      { oldText: 'one\ntwo', newText: 'one\n1.5\ntwo' },
      'one\r\n1.5\r\ntwo\r\nthree\r\n',
    ],
    [
      'in Windows lines written as such',
      'one\r\ntwo\r\n',
      { oldText: 'one\r\ntwo', newText: 'two\r\none' },
      'two\r\none\r\n',
    ],
    ['in mixed lines', 'a\r\nb\nc\r\nd\n', { oldText: 'a\nb\nc', newText: 'a\nB\nc' }, 'a\r\nB\nc\r\nd\n'],
    ['after a byte order mark', '\ufeffone\n', { oldText: 'one', newText: 'two' }, '\ufefftwo\n'],
    ['beside trailing spaces', 'a  \nb\t\n', { oldText: 'b', newText: 'c' }, 'a  \nc\t\n'],
    ['in an emoji’s neighbourhood', '😀x😁\n', { oldText: '😀x😁', newText: '😂x😁' }, '😂x😁\n'],
  ])('changes %s and nothing else', async (_what, before, input, after) => {
    const { answer, text } = await edited(before, input)
    expect(answer.ok).toBe(true)
    expect(text).toBe(after)
  })

  test.each([
    [
      'a text that is not there',
      { oldText: 'omega', newText: 'x' },
      /does not contain that text exactly\. Read the file again/,
    ],
    [
      'a text that is nearly there',
      { oldText: 'alpha\n\tbeta', newText: 'x' },
      /nearest passage is:\n<file path="a\.mdx">\n {5}1\talpha\n {5}2\tbeta\n\(Only spaces/,
    ],
    ['a text that is there twice', { oldText: 'beta', newText: 'x' }, /2 times, on lines 2, 4\..*replaceAll/],
    ['the same text', { oldText: 'alpha', newText: 'alpha' }, /the same: there is nothing to change/],
    ['an empty text', { oldText: '', newText: 'x' }, /was not run/],
  ])('refuses %s and says what to do', async (_what, input, expected) => {
    const { answer, text } = await edited(page, input)
    expect(answer).toMatchObject({ ok: false, changed: false, text: expect.stringMatching(expected) })
    expect(text).toBe(page)
  })

  test('needs the file to have been read, as it is now, where it is edited', async () => {
    const { call, run } = openTools({ 'a.mdx': `${page}${'long\n'.repeat(3000)}` })
    const edit = (oldText: string, newText: string) => call('edit', { path: 'a.mdx', oldText, newText })
    expect((await edit('alpha', 'x')).text).toMatch(/You have not read it: read it/)
    await call('read', { path: 'a.mdx', from: 1, to: 2 })
    expect((await edit('gamma', 'x')).text).toMatch(/You have not read lines 3 to 3/)
    expect((await edit('alpha', 'x\ny')).ok).toBe(true)
    expect((await edit('y\nbeta', 'z')).ok).toBe(true)
    expect((await edit('gamma', 'x')).text).toMatch(/You have not read lines 3 to 3/)
    run.tree.write('a.mdx', Buffer.from('x\nelse\n'))
    expect((await edit('x', 'y')).text).toMatch(/changed since you read it\. Here it is[\s\S]*2\telse/)
    expect((await edit('else', 'y')).ok).toBe(true)
  })

  test.each([
    [
      'line numbers',
      { oldText: '     1\talpha\n     2\tbeta', newText: '     1\tA\n     2\tB' },
      'A\nB\ngamma\nbeta\n',
    ],
    ['empty lines around it', { oldText: '\n\ngamma\n\n', newText: '\nG\n' }, 'alpha\nbeta\nG\nbeta\n'],
  ])('takes a passage with %s that the file does not have there', async (_what, input, expected) => {
    expect((await edited(page, input)).text).toBe(expected)
  })

  test('needs no new look after a move or a replacement that the model asked for', async () => {
    const { call, changed } = openTools()
    await call('read', { path: 'guides/setup.mdx' })
    await call('move', { from: 'guides/setup', to: 'guides/install.mdx' })
    await call('replace', { text: 'Acme', replacement: 'Apex' })
    const edit = { path: 'guides/install.mdx', oldText: 'title: Setup', newText: 'title: Install' }
    expect(await call('edit', edit)).toMatchObject({ ok: true })
    expect(changed()['guides/install.mdx']).toBe('---\ntitle: Install\n---\n\nInstall Apex with npm.\n\nThen run it.\n')
  })

  test('takes a line that search showed as read', async () => {
    const { call, changed } = openTools()
    await call('search', { text: 'install acme' })
    expect((await call('edit', { path: 'guides/setup.mdx', oldText: 'Acme', newText: 'Apex' })).ok).toBe(true)
    expect(changed()).toEqual({ 'guides/setup.mdx': testFiles['guides/setup.mdx'].replace('Acme', 'Apex') })
  })

  test('keeps every byte before and after what differs, whatever the file', async () => {
    const piece = fc.oneof(
      fc.constantFrom('\r\n', '\n', '  ', '\t', '\r', '😀', 'é', 'e\u0301', '\ufeff', '$&', 'word'),
      fc.string({ maxLength: 6, unit: 'grapheme' }).filter((text) => !text.includes('\0')),
    )
    const part = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
    const property = fc.asyncProperty(part, part, part, part, async (before, middle, after, replacement) => {
      const text = before + middle + after
      const plain = (one: string) => one.replaceAll('\r\n', '\n')
      fc.pre(
        middle !== '' &&
          plain(middle) !== plain(replacement) &&
          !/\r$/.test(before + middle) &&
          !/\r(?!\n)/.test(replacement),
      )
      fc.pre(plain(text).split(plain(middle)).length === 2 && !/^\n/.test(middle + after))
      const { call, run } = openTools({ 'a.mdx': text })
      await call('read', { path: 'a.mdx' })
      const answer = await call('edit', { path: 'a.mdx', oldText: middle, newText: replacement })
      expect(answer.text).toMatch(/^Edited/)
      const result = (await run.tree.read('a.mdx'))!
      expect(result.subarray(0, Buffer.byteLength(before)).equals(Buffer.from(before))).toBe(true)
      const end = Buffer.from(after)
      expect(result.subarray(result.length - end.length).equals(end)).toBe(true)
      const inside = result.subarray(Buffer.byteLength(before), result.length - end.length).toString('utf8')
      expect(plain(inside)).toBe(plain(replacement))
    })
    await fc.assert(property, { numRuns: 300 })
  })
})

describe('write', () => {
  test('makes a new file, and replaces one that was read whole, with its line ends and mark', async () => {
    const long = 'y'.repeat(13_000)
    const { call, changed } = openTools({ 'a.mdx': `\ufeffone ${long}\r\ntwo\r\n` })
    await call('write', { path: 'new/page.mdx', content: 'hello' })
    expect((await call('write', { path: 'a.mdx', content: 'x\n' })).text).toMatch(
      /exists and you have not read all of it as it is now\. Read it first/,
    )
    await call('read', { path: 'a.mdx', from: 2 })
    expect((await call('write', { path: 'a.mdx', content: 'x\n' })).ok).toBe(false)
    await call('read', { path: 'a.mdx', from: 1, to: 1 })
    await call('write', { path: 'a.mdx', content: 'x\ny' })
    expect(changed()).toEqual({ 'a.mdx': '\ufeffx\r\ny\r\n', 'new/page.mdx': 'hello\n' })
  })

  test('shows a short file that was not read, which is then known', async () => {
    const { call } = openTools()
    const { ok, text } = await call('write', { path: 'index.mdx', content: 'x\n' })
    expect({ ok, text }).toEqual({ ok: false, text: expect.stringContaining('title: Home') })
    expect((await call('write', { path: 'index.mdx', content: 'x\n' })).ok).toBe(true)
  })

  test('gives a page its ending, and takes it out of a fence', async () => {
    const page = '---\ntitle: New\n---\n\nText.\n'
    const { call, changed } = openTools()
    await call('write', { path: '/guides/new', content: page })
    await call('write', { path: 'guides/other.mdx', content: `\`\`\`mdx\n${page}\`\`\`\n` })
    await call('write', { path: 'LICENSE', content: 'MIT' })
    expect(changed()).toEqual({ 'guides/new.mdx': page, 'guides/other.mdx': page, LICENSE: 'MIT\n' })
  })

  test.each([
    ['index.mdx/page.mdx', /index\.mdx is a file/],
    ['guides', /guides is a folder/],
    ['', /path is empty/],
    ['AGENTS.md', /cannot be changed/],
    ['sub/package-lock.json', /cannot be changed/],
    ['.github/workflows/ci.yml', /cannot be changed/],
  ])('refuses %j', async (path, expected) => {
    const { call, changed } = openTools()
    expect(await call('write', { path, content: 'x' })).toMatchObject({
      ok: false,
      text: expect.stringMatching(expected),
    })
    expect(changed()).toEqual({})
  })
})

describe('the other tools', () => {
  test('delete takes a file away', async () => {
    const { call, changed } = openTools()
    expect((await call('delete', { path: 'index.mdx' })).text).toBe('Deleted index.mdx.')
    expect((await call('delete', { path: 'index.mdx' })).ok).toBe(false)
    expect(changed()).toEqual({ 'index.mdx': null })
  })

  test('move moves a page with its links and its place in the navigation', async () => {
    const { call, run } = openTools()
    const { ok, progress } = await call('move', { from: '/guides/setup', to: 'guides/install.mdx' })
    expect({ ok, progress }).toEqual({ ok: true, progress: 'Moved guides/setup.mdx to guides/install.mdx' })
    expect([...run.tree.entries.keys()]).toEqual(['docs.json', 'guides/install.mdx', 'index.mdx'])
    expect((await run.tree.read('index.mdx'))!.toString()).toContain('[setup](/guides/install)')
    expect((await run.tree.read('docs.json'))!.toString()).toContain('"guides/install"')
  })

  test('move moves any other file as it is', async () => {
    const logo = Buffer.from([0x89, 0x50, 0, 1])
    const { call, run } = openTools({ 'logo.png': logo, 'b.png': logo })
    expect((await call('move', { from: 'logo.png', to: 'images/logo.png' })).ok).toBe(true)
    expect(await run.tree.read('images/logo.png')).toEqual(logo)
    expect((await call('move', { from: 'images/logo.png', to: 'b.png' })).text).toMatch(
      /There is a file b\.png already/,
    )
    expect((await call('move', { from: 'images/logo.png', to: 'AGENTS.md' })).ok).toBe(false)
  })

  test('navigation puts a page where it belongs, and says what an action lacks', async () => {
    const { call, run } = openTools()
    await call('write', { path: 'guides/deploy.mdx', content: '---\ntitle: Deploy\n---\n' })
    const { ok } = await call('navigation', { action: 'add_page', page: 'guides/deploy', after: 'index' })
    expect(ok).toBe(true)
    const { navigation } = JSON.parse((await run.tree.read('docs.json'))!.toString())
    expect(navigation.groups[0].pages).toEqual(['index', 'guides/deploy', 'guides/setup'])
    expect((await call('navigation', { action: 'rename_group', name: 'X' })).text).toMatch(/rename_group needs group/)
    expect((await call('navigation', { action: 'add_page', page: 'nowhere' })).ok).toBe(false)
  })

  test('navigation takes paths from the repository’s root too', async () => {
    const { call } = openTools({ ...testFiles, 'guides/new.mdx': 'x\n' }, {}, 'docs/site')
    const input = { action: 'add_page', page: 'docs/site/guides/new.mdx', after: 'docs/site/index.mdx' }
    expect((await call('navigation', input)).text).toMatch(/Added guides\/new to/)
  })

  test('replace changes a text everywhere but in closed files', async () => {
    const { call, changed } = openTools({ ...testFiles, 'AGENTS.md': 'Say Acme.\n' })
    const { text, progress } = await call('replace', { text: 'Acme', replacement: 'Apex' })
    expect(progress).toBe('Replaced 2 places in 2 files')
    expect(text).toContain('AGENTS.md')
    expect(Object.keys(changed())).toEqual(['guides/setup.mdx', 'index.mdx'])
    expect((await call('replace', { text: 'Acme', replacement: 'x', within: '../..' })).ok).toBe(false)
  })

  test('replace spares what it is told to, and says when there is no such file', async () => {
    const { call, changed } = openTools()
    const input = { text: 'Acme', replacement: 'Apex' }
    expect((await call('replace', { ...input, except: ['guide'] })).text).toMatch(/There is no file guide/)
    await call('replace', { ...input, except: ['/guides/setup'] })
    expect(Object.keys(changed())).toEqual(['index.mdx'])
  })

  test('revert puts a file back, and takes a new one away', async () => {
    const { call, changed } = openTools()
    await call('replace', { text: 'Acme', replacement: 'Apex' })
    await call('delete', { path: 'docs.json' })
    await call('write', { path: 'new.txt', content: 'x' })
    for (const path of ['index.mdx', 'docs.json', 'new.txt']) expect((await call('revert', { path })).ok).toBe(true)
    expect(Object.keys(changed())).toEqual(['guides/setup.mdx'])
    expect((await call('revert', { path: 'index.mdx' })).text).toMatch(/nothing to put back/)
  })

  test('fix_links tells what is left by target, with its places', async () => {
    const link = '[a](/nowhere/at/all)\n'
    const { call } = openTools({ ...testFiles, 'guides/a.mdx': link, 'guides/b.mdx': `\n${link}` })
    expect((await call('fix_links', {})).text).toMatch(
      /2 are still broken.*\n- \/nowhere\/at\/all: .* In guides\/a\.mdx:1, guides\/b\.mdx:2$/,
    )
  })

  test('check tells what the change broke from what was so before', async () => {
    const { call } = openTools({ 'old.mdx': '[a](/nowhere)\n' })
    await call('write', { path: 'new.mdx', content: '[a](/nowhere)\n' })
    const { text } = await call('check', {})
    expect(text).toMatch(/introduced 1 problem; mend them:\n<results>\n- new\.mdx:1 [\s\S]*1 older problem; set all/)
    expect(text).not.toContain('old.mdx')
    expect((await call('check', { all: true })).text).toMatch(/1 problem from before[\s\S]*- old\.mdx:1/)
  })

  test('check names new pages that the navigation does not', async () => {
    const { call } = openTools()
    await call('write', { path: 'guides/new.mdx', content: '---\ntitle: New\n---\n' })
    await call('write', { path: 'guides/hidden.mdx', content: '---\ntitle: New\nhidden: true\n---\n' })
    expect((await call('check', {})).text).toMatch(/Not in the navigation, .*: guides\/new\.mdx\. Add/)
    await call('navigation', { action: 'add', page: 'guides/new', after: 'setup' })
    expect((await call('check', {})).text).not.toContain('Not in the navigation')
  })

  test.each([
    ['api.json', '{"a": [1, 2]}', '{"a": [1, 2}'],
    ['api.yaml', 'a:\n  b: 1\n', 'a:\n  b: 1\n c: "\n'],
  ])('check finds that %s does not parse any more', async (path, before, after) => {
    const { call, run } = openTools({ ...testFiles, [path]: before })
    run.tree.write(path, Buffer.from(after))
    expect((await call('check', {})).text).toMatch(/introduced 1 problem[\s\S]*\(config\) The file does not parse/)
    run.tree.write(path, Buffer.from(before.replace('1', '3')))
    expect((await call('check', {})).text).toContain('introduced no problems')
    const broken = openTools({ ...testFiles, [path]: after })
    broken.run.tree.write(path, Buffer.from(`${after} `))
    expect((await broken.call('check', {})).text).toContain('introduced no problems')
  })
})

describe('the jail', () => {
  const hostile = [
    '../x',
    'a/../../x',
    '..',
    '/../x',
    '//etc/passwd',
    'C:/x',
    'c:\\x',
    '..\\x',
    'a\\b',
    '.git/config',
    '.GIT/config',
    'a/.Git/x',
    '.git',
    '.git./x',
    '.git /x',
    'git~1/x',
    '.g\u200bit/x',
    '.git::$INDEX_ALLOCATION/x',
    'a\0b',
    'a\nb',
    'a\u0007',
    'x'.repeat(1001),
    '\ud800',
  ]

  test.each(hostile)('refuses %j in every tool that takes a path', async (path) => {
    const { call, changed } = openTools()
    const calls: [string, object][] = [
      ['list', { folder: path }],
      ['search', { text: 'Acme', folder: path }],
      ['read', { path }],
      ['edit', { path, oldText: 'a', newText: 'b' }],
      ['write', { path, content: 'x' }],
      ['delete', { path }],
      ['move', { from: 'index.mdx', to: path }],
      ['move', { from: path, to: 'x.mdx' }],
      ['replace', { text: 'Acme', replacement: 'x', within: path }],
      ['fix_links', { within: path }],
    ]
    for (const [name, input] of calls) expect({ name, ...(await call(name, input)) }).toMatchObject({ name, ok: false })
    expect(changed()).toEqual({})
  })

  test('never lets a path through that leads outside, whatever is written', async () => {
    const part = fc.oneof(
      fc.constantFrom('..', '.', '', '.git', '.GiT', 'a', 'guides', '~', '%2e%2e', ' ', '.. ', '…'),
      fc.string({ maxLength: 4 }),
    )
    const path = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/'))
    const property = fc.asyncProperty(path, async (written) => {
      const { call, run } = openTools()
      await call('write', { path: written, content: 'x' })
      await call('move', { from: 'guides/setup.mdx', to: written })
      for (const { path: changed } of run.tree.changes()) {
        const parts = changed.split('/')
        expect(parts.filter((one) => one === '' || one === '.' || one === '..' || /^\.git$/i.test(one))).toEqual([])
      }
    })
    await fc.assert(property, { numRuns: 150 })
  })
})

test('what a tool did beyond a budget is undone to the byte', async () => {
  const { call, changed } = openTools({ ...testFiles, 'a.mdx': 'Acme\r\n' }, { files: 2 })
  await call('read', { path: 'a.mdx' })
  await call('edit', { path: 'a.mdx', oldText: 'Acme', newText: 'Acme Acme' })
  const before = changed()
  const answer = await call('replace', { text: 'Acme', replacement: 'Apex' })
  expect(answer).toMatchObject({ ok: false, changed: false, text: expect.stringMatching(/undone/) })
  expect(changed()).toEqual(before)
})

test('every tool has an input that all providers take: one flat object with described or plain fields', async () => {
  const { inputSchema } = await import('./run-tool.ts')
  for (const tool of tools) {
    const schema = inputSchema(tool) as { type: string; properties: Record<string, { type?: string; enum?: string[] }> }
    expect(schema.type).toBe('object')
    for (const field of Object.values(schema.properties)) expect(field.type).toMatch(/^(string|boolean|integer|array)$/)
    expect(JSON.stringify(schema)).not.toMatch(/anyOf|oneOf|allOf|\$ref/)
  }
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
})
