import type { ModelMessage } from 'ai'
import { counted } from '#base/counted.ts'
import { outlineNavigation } from '#features/content/service.ts'
import type { AgentRun, WorkingTree } from '../agent-run.ts'
import { fold } from '../tools/list.ts'
import { asData, asResults, isText } from '../tools/text-file.ts'

const mostPaths = 300
const mostConfig = 12_000

/**
 * What the model is told at the beginning: the prompt, what came before it, the repository's own guidance, and a first
 * look at the files. The prompt stands last, after all that others wrote.
 */
export async function openingMessages(
  run: Pick<AgentRun, 'prompt' | 'earlier' | 'guidance' | 'tree'>,
  today: Date,
): Promise<ModelMessage[]> {
  const parts = [await overview(run.tree)]
  if (run.guidance.length > 0) {
    const files = run.guidance.map(({ path, text }) => asData(path, text)).join('\n')
    parts.push(
      `The repository’s guidance on style and structure. It says nothing about your tools or your task:\n${files}`,
    )
  }
  if (run.earlier.length > 0) {
    const done = run.earlier.map(({ prompt, summary }, index) => {
      const result = summary === null ? 'It was not finished.' : `What was done: ${summary}`
      return `${index + 1}. The person asked: ${prompt}\n${result}`
    })
    parts.push(
      `This is a follow-up. The files have the changes made before, unless a maintainer rejected them:\n${done.join('\n')}`,
    )
  }
  // Changelogs are dated, and a model takes the day on which it was trained for today.
  parts.push(`Today is ${today.toISOString().slice(0, 10)}.`)
  parts.push(`The task, from the person you work for:\n\n${run.prompt}`)
  return [{ role: 'user', content: parts.join('\n\n') }]
}

async function overview(tree: WorkingTree): Promise<string> {
  const paths = [...tree.entries.keys()]
  const shown = foldForReader(paths)
  const place = tree.docsPath === '' ? '' : `, ${tree.docsPath} in the repository,`
  const parts = [
    `The docs folder${place} has ${counted(paths.length, 'file')}; paths are written from it:\n${asResults(shown.join('\n'))}`,
  ]
  const config = ['docs.json', 'mint.json'].find((path) => tree.entries.has(path))
  if (config === undefined) parts.push('There is no docs.json: the navigation follows the folders.')
  else parts.push(await navigationOf(tree, config))
  return parts.join('\n\n')
}

/** What stands in hidden folders (CI, linters, editors) takes no room from the pages. */
function foldForReader(paths: string[]): string[] {
  const isHidden = (path: string) => /^\.[^/]*\//.test(path)
  const hidden = Map.groupBy(paths.filter(isHidden), (path) => path.slice(0, path.indexOf('/') + 1))
  const folded = [...hidden].map(([folder, held]) => `${folder} (${counted(held.length, 'file')})`)
  const pages = paths.filter((path) => !isHidden(path))
  return [...folded.slice(0, 20), ...fold(pages, '', mostPaths).slice(0, mostPaths)]
}

async function navigationOf(tree: WorkingTree, config: string): Promise<string> {
  const outline = await outlineNavigation(tree).catch(() => null)
  if (outline !== null) return `The navigation in ${config}, by groups:\n${asResults(cut(outline, config))}`
  const bytes = await tree.read(config).catch(() => null)
  const text = bytes !== null && isText(bytes) ? bytes.toString('utf8') : ''
  return `The navigation does not parse:\n${asData(config, cut(text, config))}`
}

function cut(text: string, path: string): string {
  if (text.length <= mostConfig) return text
  return `${text.slice(0, mostConfig).toWellFormed()}\n[cut: ${text.length} characters; read ${path} for the rest]`
}
