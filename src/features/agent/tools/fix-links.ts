import { z } from 'zod'
import { fixBrokenLinks } from '#features/content/service.ts'
import { counted } from './counted.ts'
import { parsePath } from './paths.ts'
import { defineTool } from './tool.ts'

const mostShown = 60

export const fixLinks = defineTool({
  name: 'fix_links',
  description:
    'Mend broken internal links whose target is clear, everywhere or in one folder or page, and list those that are not: these need your judgement.',
  input: z.object({ within: z.string().optional().describe('A folder or a page. Leave it out for everything.') }),
  writes: true,
  async run({ within }, { run, pageCache }) {
    const path = within === undefined ? '' : parsePath(within)
    const { fixed, left } = await fixBrokenLinks(run.tree, {
      within: path === '' ? null : path,
      signal: run.signal,
      cache: pageCache,
    })
    const parts = [`Mended ${counted(fixed.length, 'link')}.`]
    if (fixed.length > 0) parts.push(shown(fixed.map((link) => `${link.path}:${link.line} ${link.from} → ${link.to}`)))
    if (left.length > 0) parts.push(`${left.length} are still broken:`)
    if (left.length > 0)
      parts.push(shown(left.map((link) => `${link.path}:${link.line} ${link.target} (${link.reason})`)))
    return { text: parts.join('\n'), progress: `Mended ${counted(fixed.length, 'link')}, ${left.length} left` }
  },
})

function shown(lines: string[]): string {
  const more = lines.length > mostShown ? [`… and ${lines.length - mostShown} more`] : []
  return [...lines.slice(0, mostShown), ...more].map((line) => `- ${line}`).join('\n')
}
