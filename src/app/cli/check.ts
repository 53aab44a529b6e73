import { stat } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { counted } from '#base/counted.ts'
import { DocentError } from '#base/errors.ts'
import type { ProjectCheck } from '#features/content/schema.ts'
import { checkDocs } from '#features/content/service.ts'
import { openFolderTree } from '#infra/files/folder-tree.ts'
import { createClient, serverOptions } from './client.ts'
import { type CommandInput, defineCommand } from './command.ts'
import { findDocs, noDocs } from './find-docs.ts'
import { findProjectId } from './find-project.ts'

type Found = Pick<ProjectCheck, 'problems' | 'pages' | 'links'>
type Input = CommandInput<typeof serverOptions>

export const check = defineCommand({
  name: 'check',
  about:
    'Looks for what readers would stumble over: pages that do not parse, links and anchors that lead nowhere,\nnavigation to missing pages, bad frontmatter, missing snippets. Exit code 1 when something is found.',
  args: [
    {
      name: 'folder or project',
      about: 'Folder with the docs (this one by default), or the id, slug or name of a project.',
      optional: true,
    },
  ],
  options: { ...serverOptions },
  examples: ['docent check', 'docent check docs', 'docent check --json > problems.json', 'docent check "My docs"'],
  async run(input) {
    const [target = '.'] = input.args
    const isFolder = await stat(target).then(
      (found) => found.isDirectory(),
      () => false,
    )
    if (!isFolder && looksLikePath(target)) {
      throw new DocentError('not_found', 'check.folder_not_found', `There is no folder ${target}.`)
    }
    return isFolder ? await checkFolder(target, input) : await checkProject(target, input)
  },
})

function looksLikePath(target: string): boolean {
  return target.startsWith('.') || target.startsWith('/') || target.endsWith('/')
}

async function checkFolder(target: string, { output }: Input): Promise<number> {
  const folder = await findDocs(resolve(target))
  await using tree = await openFolderTree(folder)
  const progress = createProgress(output.isTerminal)
  const { problems, pages, links } = await checkDocs(tree, { onProgress: progress.show })
  progress.clear()
  if (pages === 0 && problems.length === 0) throw noDocs(folder)
  const found = { folder, problems: problems.map(({ key: _, ...problem }) => problem), pages, links }
  const prefix = relative(process.cwd(), folder)
  output.result(found, render(found, prefix === '' || prefix.startsWith('..') ? '' : `${prefix}/`))
  return problems.length > 0 ? 1 : 0
}

async function checkProject(target: string, input: Input): Promise<number> {
  const client = createClient(input)
  const id = await findProjectId(client, target).catch((error: unknown) => {
    if (!(error instanceof DocentError) || !['unavailable', 'not_found'].includes(error.kind)) throw error
    const message =
      error.kind === 'not_found'
        ? `"${target}" is neither a folder here nor a project; docent project list shows those.`
        : `There is no folder "${target}" here, and projects are known to a server only. ${error.message}`
    throw new DocentError(error.kind, error.code, message, { cause: error })
  })
  const found = await client.call<ProjectCheck>('GET', `/v1/projects/${encodeURIComponent(id)}/check`)
  const where = `Branch ${found.ref} at ${found.commit.slice(0, 10)}.\n`
  input.output.result(found, `${where}${render(found, '')}`)
  return found.problems.length > 0 ? 1 : 0
}

/** Problems under the file they are in, and a line that sums up. */
function render({ problems, pages, links }: Found, prefix: string): string {
  const lines: string[] = []
  let file: string | null = null
  const place = Math.max(0, ...problems.map(({ line, column }) => `${line}:${column}`.length))
  const kind = Math.max(0, ...problems.map(({ rule }) => rule.length))
  for (const { path, line, column, rule, message, hint } of problems) {
    if (path !== file) lines.push(...(file === null ? [] : ['']), clean(prefix + path))
    file = path
    const said = hint === null ? message : `${message} ${hint}`
    lines.push(`  ${`${line}:${column}`.padEnd(place)}  ${rule.padEnd(kind)}  ${clean(said)}`)
  }
  if (lines.length > 0) lines.push('')
  const files = new Set(problems.map(({ path }) => path)).size
  const looked = `${counted(pages, 'page')} and ${counted(links, 'link')} checked`
  const sum =
    problems.length === 0 ? 'No problems' : `${counted(problems.length, 'problem')} in ${counted(files, 'file')}`
  return [...lines, `${sum}; ${looked}.`].join('\n')
}

/** What repositories hold must not move the cursor about. */
function clean(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ')
}

// A folder this size is done before anybody wonders.
const leastPagesToShow = 300

/** One line at a terminal that is written over. */
function createProgress(isTerminal: boolean) {
  let shown = false
  let last = 0
  return {
    show({ done, total }: { done: number; total: number }): void {
      const now = performance.now()
      if (!isTerminal || total < leastPagesToShow || now - last < 100) return
      last = now
      shown = true
      process.stderr.write(`\r  ${done} of ${total} pages`)
    },
    clear(): void {
      if (shown) process.stderr.write('\r\x1b[K')
    },
  }
}
