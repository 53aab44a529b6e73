import { expect, test } from 'vitest'
import { createTestRun } from '#tests/harness/models/test-run.ts'

const files = {
  'docs.json': JSON.stringify({ navigation: { pages: ['index', 'other'] } }),
  'index.mdx': 'Words. [old](/gone)\n',
  'other.mdx': '## Part\n\n[old](/gone-too)\n',
  'third.mdx': '[part](/other#part)\n',
}
const write = (run: ReturnType<typeof createTestRun>, path: string, text: string) =>
  run.tree.write(path, Buffer.from(text))
const messages = (problems: { message: string }[]) => problems.map(({ message }) => message)

test('a change that no other page depends on is checked by itself, and all of it when somebody asks', async () => {
  const run = createTestRun({ files })
  write(run, 'index.mdx', 'Other words. [old](/gone) [new](/nowhere)\n')
  const quick = await run.check()
  expect(quick).toMatchObject({ scope: 'changes', pages: 1, links: 2 })
  expect(messages(quick.introduced)).toEqual(['The link /nowhere leads to nothing.'])
  expect(messages(quick.problems)).toEqual(['The link /gone leads to nothing.', 'The link /nowhere leads to nothing.'])

  const whole = await run.check({ whole: true })
  expect(whole).toMatchObject({ scope: 'whole', pages: 3, links: 4 })
  expect(whole.introduced).toEqual(quick.introduced)
  expect(messages(whole.problems)).toContain('The link /gone-too leads to nothing.')
  expect(await run.check(), 'what is known already').toBe(whole)
})

test('a change that others depend on is checked with them', async () => {
  const run = createTestRun({ files })
  write(run, 'other.mdx', '## Another name\n\n[old](/gone-too)\n')
  const result = await run.check()
  expect(result.scope).toBe('whole')
  expect(result.introduced).toMatchObject([{ path: 'third.mdx', rule: 'anchor' }])
})

test('with no change there is nothing to compare, and everything to look at', async () => {
  const result = await createTestRun({ files }).check()
  expect(result).toMatchObject({ scope: 'whole', pages: 3, introduced: [] })
  expect(result.problems).toHaveLength(2)
})

test('a data file that does not parse any more is found, whatever else is looked at', async () => {
  const run = createTestRun({ files: { ...files, 'data.json': '{}' } })
  write(run, 'data.json', '{')
  const result = await run.check()
  expect(result).toMatchObject({ scope: 'changes', introduced: [{ path: 'data.json', rule: 'config' }] })
  expect(result.problems).toEqual(result.introduced)
})
