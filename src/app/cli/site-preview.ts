import { basename, resolve } from 'node:path'
import { counted } from '#base/counted.ts'
import { DocentError, messageOf } from '#base/errors.ts'
import { createLog } from '#base/log.ts'
import { createPageRenderer } from '#features/content/service.ts'
import type { Edition, EditionWarning } from '#features/site/edition/edition.ts'
import { stopRequested } from '../signals.ts'
import { defineCommand } from './command.ts'
import { findDocs, noDocs } from './find-docs.ts'
import { startFolderServer } from './folder-server.ts'
import { type FolderChange, openFolderSite } from './folder-site.ts'
import type { Output } from './output.ts'

export const sitePreview = defineCommand({
  name: 'site preview',
  about:
    'Serves a folder as the site that it would be, on this machine only, and shows each change as it is written. What\nreaders would not see as it was meant is told here. Needs no server and no data folder.',
  args: [{ name: 'folder', about: 'Folder with the docs; this one by default.', optional: true }],
  options: {
    port: { type: 'string', value: 'port', about: 'Port to listen on; 4410 or the next free one if left out.' },
    'open-check': { type: 'boolean', about: 'Only make every page once, say what is wrong, and end. For CI.' },
  },
  examples: ['docent site preview', 'docent site preview docs --port 8080', 'docent site preview docs --open-check'],
  async run({ args, options, output }) {
    const stopped = stopRequested()
    const folder = await findDocs(resolve(args[0] ?? '.'))
    const port = parsePort(options.port)
    const log = createLog({ level: 'warn', format: 'text', destination: process.stderr })
    const renderer = createPageRenderer()
    try {
      const onChange = (change: FolderChange) => {
        server?.reload()
        showChange(output, change)
      }
      const onTrouble = (message: string) => output.note(`✗ ${clean(message)}`)
      const site = await openFolderSite({ folder, renderer, log, onChange, onTrouble })
      let server: Awaited<ReturnType<typeof startFolderServer>> | null = null
      try {
        if (options['open-check']) return await checkPages(output, folder, site.edition())
        const { edition } = site
        server = await startFolderServer({ name: basename(folder), edition, renderer, log, port })
        showStart(output, { folder, url: server.url, edition: edition() })
        await stopped
        return 0
      } finally {
        await server?.close()
        await site.close()
      }
    } finally {
      await renderer.close()
    }
  },
})

function parsePort(text: string | undefined): number | null {
  if (text === undefined) return null
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port >= 0 && port <= 65_535) return port
  throw new DocentError('invalid', 'cli.usage', `--port: expected a port, found ${JSON.stringify(text)}.`)
}

function showStart(output: Output, { folder, url, edition }: { folder: string; url: string; edition: Edition }): void {
  for (const line of warningLines(edition.warnings, '!')) output.note(line)
  const pages = counted(edition.pages.size, 'page')
  if (edition.pages.size === 0)
    output.note(`There are no pages in ${folder} yet. Write an index.mdx, or name another folder.`)
  const text = `${url}  ${pages} of ${folder}. Changes show by themselves; Ctrl-C ends it.`
  output.result({ url, folder, pages: edition.pages.size, warnings: edition.warnings.length }, text)
}

function showChange(output: Output, { edition, tookMs, appeared, gone }: FolderChange): void {
  for (const line of warningLines(gone, '✓')) output.note(line)
  for (const line of warningLines(appeared, '!')) output.note(line)
  const warnings = edition.warnings.length === 0 ? '' : `, ${counted(edition.warnings.length, 'warning')}`
  output.note(`· ${counted(edition.pages.size, 'page')}${warnings}, ${Math.round(tookMs)} ms`)
}

/** Under the page that they are of. */
function warningLines(warnings: readonly EditionWarning[], mark: string): string[] {
  const lines: string[] = []
  let page: string | null = null
  for (const { route, path, line, message } of warnings) {
    if (route !== page && route !== null) lines.push(clean(route))
    page = route
    lines.push(`  ${mark} ${clean(`${path}${line === null ? '' : `:${line}`}  ${message}`)}`)
  }
  return lines
}

/** Makes each page as its first reader would have it made. */
async function checkPages(output: Output, folder: string, edition: Edition): Promise<number> {
  if (edition.pages.size === 0) throw noDocs(folder)
  const failed: EditionWarning[] = []
  let done = 0
  for (const page of edition.pages.values()) {
    const path = page.source.kind === 'file' ? page.source.path : page.source.spec
    try {
      await edition.render(page)
    } catch (error) {
      failed.push({ route: page.route, path, line: null, message: messageOf(error) })
    }
    done += 1
    if (output.isTerminal && done % 20 === 0) process.stderr.write(`\r  ${done} of ${edition.pages.size} pages`)
  }
  if (output.isTerminal) process.stderr.write('\r\x1b[K')
  const found = [...edition.warnings, ...failed]
  const sum = `${counted(edition.pages.size, 'page')}, ${counted(found.length, 'warning')}.`
  const result = { folder, pages: edition.pages.size, warnings: found }
  output.result(result, [...warningLines(found, '!'), sum].join('\n'))
  return found.length > 0 ? 1 : 0
}

/** What files hold must not move the cursor about. */
function clean(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ')
}
