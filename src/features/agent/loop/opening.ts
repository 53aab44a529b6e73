import type { ModelMessage } from 'ai'
import type { FileTree } from '#infra/files/file-tree.ts'
import type { AgentRun } from '../agent-run.ts'
import { counted } from '../tools/counted.ts'
import { fold } from '../tools/list.ts'
import { asData, asResults, isText } from '../tools/text-file.ts'

const mostPaths = 150
const mostConfig = 12_000

/**
 * What the model is told at the beginning: the prompt, what came before it, the repository's own guidance, and a first
 * look at the files. The prompt stands last, after all that others wrote.
 */
export async function openingMessages(
  run: Pick<AgentRun, 'prompt' | 'earlier' | 'guidance' | 'tree'>,
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
    parts.push(`This is a follow-up. The files already have the changes made before:\n${done.join('\n')}`)
  }
  parts.push(`The task, from the person you work for:\n\n${run.prompt}`)
  return [{ role: 'user', content: parts.join('\n\n') }]
}

async function overview(tree: FileTree): Promise<string> {
  const paths = [...tree.entries.keys()]
  const shown = fold(paths, '', mostPaths).slice(0, mostPaths)
  const parts = [`The docs folder has ${counted(paths.length, 'file')}:\n${asResults(shown.join('\n'))}`]
  const config = ['docs.json', 'mint.json'].find((path) => tree.entries.has(path))
  if (config !== undefined) {
    const bytes = await tree.read(config).catch(() => null)
    const text = bytes !== null && isText(bytes) ? bytes.toString('utf8') : ''
    const cut = text.length > mostConfig ? `\n[cut: ${text.length} characters; read the file for the rest]` : ''
    parts.push(`Its navigation and settings:\n${asData(config, text.slice(0, mostConfig).toWellFormed() + cut)}`)
  } else {
    parts.push('There is no docs.json: the navigation follows the folders.')
  }
  return parts.join('\n\n')
}
