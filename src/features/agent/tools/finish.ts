import { z } from 'zod'
import { counted } from '#base/counted.ts'
import { checkLine, describeProblems } from './check.ts'
import { asResults } from './text-file.ts'
import { defineTool } from './tool.ts'
import { describeUnlisted, unlistedPages } from './unlisted-pages.ts'

/** A model that cannot mend its problems would try for ever; a person can mend them on the pull request. */
const mostRefusals = 3

export const finish = defineTool({
  name: 'finish',
  description:
    'End the work. Checks once more first: problems that your change introduced must be mended before. If nothing had to change, say so in the summary.',
  input: z.object({
    title: z.string().min(1).describe('Title of the pull request: one line in the imperative, under 70 characters.'),
    summary: z
      .string()
      .min(1)
      .describe('For the reviewer, in Markdown: what changed and why, what you left out, what they should verify.'),
  }),
  writes: false,
  async run({ title, summary }, { run, refusals }) {
    const outcome = { title: oneLine(title), summary: summary.trim() }
    if (run.tree.changes().length === 0) return { text: 'Finished.', progress: 'Finished', outcome }
    const result = await run.check()
    const { introduced, problems } = result
    const older = problems.length - introduced.length
    run.report({ type: 'check', text: checkLine(result), introduced: introduced.length, older })
    const unlisted = refusals === 0 ? await unlistedPages(run.tree) : []
    if (unlisted.length > 0 && introduced.length === 0) {
      const text = `Not finished. ${describeUnlisted(unlisted)} If that is meant so, call finish again.`
      return { text, progress: 'Looking where new pages belong', refused: true }
    }
    if (introduced.length === 0) return { text: 'Finished.', progress: 'Finished', outcome }
    if (refusals < mostRefusals) {
      const message = `Not finished: your change introduced ${counted(introduced.length, 'problem')}. Mend them, then call finish again.`
      return {
        text: `${message}\n${asResults(describeProblems(introduced))}`,
        progress: 'Mending what the check found',
        refused: true,
      }
    }
    const remaining = `\n\n**Problems that remain:**\n\n${describeProblems(introduced)}`
    return { text: 'Finished.', progress: 'Finished', outcome: { ...outcome, summary: outcome.summary + remaining } }
  },
})

function oneLine(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim()
  return line.length > 120 ? `${line.slice(0, 119).toWellFormed()}…` : line
}
