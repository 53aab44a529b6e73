import { z } from 'zod'
import { counted } from '#base/counted.ts'
import type { CheckResult } from '../agent-run.ts'
import { asResults } from './text-file.ts'
import { defineTool } from './tool.ts'
import { describeUnlisted, unlistedPages } from './unlisted-pages.ts'

const mostShown = 40

export const check = defineTool({
  name: 'check',
  description:
    'Check all pages: MDX that does not parse, links and anchors that lead nowhere, navigation to missing pages, bad frontmatter, missing snippets. Lists what your change introduced. Call it before finish.',
  input: z.object({ all: z.boolean().optional().describe('List the problems from before your change too.') }),
  writes: false,
  async run({ all = false }, { run }) {
    const result = await run.check({ whole: true })
    const older = result.problems.length - result.introduced.length
    const text = checkLine(result)
    run.report({ type: 'check', text, introduced: result.introduced.length, older })
    const unlisted = await unlistedPages(run.tree)
    const parts = [describeCheck(result, { all }), ...(unlisted.length > 0 ? [describeUnlisted(unlisted)] : [])]
    return { text: parts.join('\n'), progress: null }
  },
})

/** For whoever watches. */
export function checkLine({ problems, introduced, scope }: CheckResult): string {
  const older = problems.length - introduced.length
  const found = `${counted(introduced.length, 'problem')} from this change, ${older} from before`
  return scope === 'whole' ? `Checked: ${found}` : `Checked what changed: ${found}`
}

/** For a model: what it must mend, then what was there before. */
export function describeCheck(
  { problems, introduced, pages, links }: CheckResult,
  { all = false }: { all?: boolean } = {},
): string {
  const own = new Set(introduced)
  const ownKeys = new Set(introduced.map(({ path, key }) => `${path}\n${key}`))
  const older = problems.filter((problem) => !own.has(problem) && !ownKeys.has(`${problem.path}\n${problem.key}`))
  const parts = [`Checked ${counted(pages, 'page')} and ${counted(links, 'link')}.`]
  parts.push(
    introduced.length === 0
      ? 'Your change introduced no problems.'
      : `Your change introduced ${counted(introduced.length, 'problem')}; mend them:\n${asResults(describeProblems(introduced))}`,
  )
  // A list of what is not to be done is long, and read as one of what is.
  if (older.length > 0 && !all)
    parts.push(`${counted(older.length, 'older problem')}; set all to list them if your task is about those.`)
  if (older.length > 0 && all) {
    parts.push(`${counted(older.length, 'problem')} from before:\n${asResults(describeProblems(older))}`)
  }
  return parts.join('\n')
}

export function describeProblems(problems: CheckResult['problems']): string {
  const lines = problems.slice(0, mostShown).map(({ path, line, rule, message, hint }) => {
    return `- ${path}:${line} (${rule}) ${message}${hint === null ? '' : ` ${hint}`}`
  })
  if (problems.length > mostShown) lines.push(`- … and ${problems.length - mostShown} more`)
  return lines.join('\n')
}
