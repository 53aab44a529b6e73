import { z } from 'zod'
import { counted } from '#base/counted.ts'
import { fixBrokenLinks } from '#features/content/service.ts'
import { docsPathOf } from './paths.ts'
import { defineTool } from './tool.ts'

const mostShown = 60

export const fixLinks = defineTool({
  name: 'fix_links',
  description:
    'Mend broken internal links whose target is clear, everywhere or in one folder or page, and list those that are not: these need your judgement.',
  input: z.object({ within: z.string().optional().describe('A folder or a page. Leave it out for everything.') }),
  writes: true,
  async run({ within }, { run, memory, pageCache }) {
    const path = docsPathOf(run.tree, within ?? '')
    const before = run.tree.entries
    const { fixed, left } = await fixBrokenLinks(run.tree, {
      within: path === '' ? null : path,
      signal: run.signal,
      cache: pageCache,
    })
    for (const { path } of fixed) memory.carry({ from: path, to: path }, { before, after: run.tree.entries })
    const parts = [`Mended ${counted(fixed.length, 'link')}.`]
    if (fixed.length > 0) parts.push(shown(fixed.map((link) => `${link.path}:${link.line} ${link.from} → ${link.to}`)))
    if (left.length > 0) {
      parts.push(`${left.length} are still broken. Where you know the right target, replace the old one everywhere:`)
      parts.push(shown(byTarget(left)))
    }
    return { text: parts.join('\n'), progress: `Mended ${counted(fixed.length, 'link')}, ${left.length} left` }
  },
})

function byTarget(left: { path: string; line: number; target: string; reason: string }[]): string[] {
  return [...Map.groupBy(left, ({ target, reason }) => `${target}: ${reason}`)].map(([problem, links]) => {
    const places = links.slice(0, 10).map(({ path, line }) => `${path}:${line}`)
    return `${problem} In ${places.join(', ')}${links.length > 10 ? ', …' : ''}`
  })
}

function shown(lines: string[]): string {
  const more = lines.length > mostShown ? [`… and ${lines.length - mostShown} more`] : []
  return [...lines.slice(0, mostShown), ...more].map((line) => `- ${line}`).join('\n')
}
