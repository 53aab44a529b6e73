import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLog } from '#base/log.ts'
import { createPageRenderer } from '#features/content/service.ts'
import { openFolderEdition } from '#features/site/edition/folder-edition.ts'
import { handleSiteRequest } from '#features/site/serve/handle-site-request.ts'
import type { ReaderRecords } from '#features/site/serve/serve-deps.ts'
import type { ServedSite } from '#features/site/serve/served-site.ts'
import { createShelf } from '#features/site/serve/shelf.ts'
import { memoryTree } from './memory-tree.ts'

export interface FolderSite {
  origin: string
  /** What readers did, in order. */
  recorded: Record<string, unknown>[]
  close(): Promise<void>
}

/** A site of the files given, rendered and served as any other, at an address of this machine. */
export async function serveFolderSite(
  files: Record<string, string | Buffer>,
  more: Partial<ServedSite> = {},
): Promise<FolderSite> {
  const renderer = createPageRenderer()
  const log = createLog({ level: 'silent', format: 'json', destination: process.stderr })
  const edition = await openFolderEdition({ tree: memoryTree(files), id: '1', renderer, log })
  const recorded: FolderSite['recorded'] = []
  const records: ReaderRecords = {
    async search(input) {
      recorded.push({ kind: 'search', ...input })
      return 'search-1'
    },
    async click(input) {
      recorded.push({ kind: 'click', ...input })
    },
    async feedback(input) {
      recorded.push({ kind: 'feedback', ...input })
    },
  }
  const deps = { renderer, shelf: createShelf(), log, records }
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://site.test')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = chunks.length > 0 ? Buffer.concat(chunks) : null
    const { method = 'GET', headers } = request
    const answer = await handleSiteRequest(deps, site, { method, path: pathname, query: searchParams, headers, body })
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const site: ServedSite = {
    ...{ projectId: 'prj_1', name: 'Acme', edition, base: '', origin, kind: 'live', editUrl: () => null },
    ...more,
  }
  return {
    origin,
    recorded,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await edition.close()
      await renderer.close()
    },
  }
}
