import http from 'node:http'
import { Readable } from 'node:stream'
import { createLog } from '#base/log.ts'
import { createPageRenderer } from '#features/content/service.ts'
import { openFolderEdition } from '#features/site/edition/folder-edition.ts'
import { handleSiteRequest } from '#features/site/serve/handle-site-request.ts'
import { createShelf } from '#features/site/serve/shelf.ts'
import { openFolderTree } from '#infra/files/folder-tree.ts'

const [folder, port = '4555', base = ''] = process.argv.slice(2)
const log = createLog({ level: 'info', format: 'json' })
const renderer = createPageRenderer()
const t = performance.now()
const edition = await openFolderEdition({ tree: await openFolderTree(folder!), id: '1', renderer, log })
console.log('open', Math.round(performance.now() - t), 'ms', edition.pages.size, 'pages', edition.warnings.length, 'warnings')
const deps = { renderer, shelf: createShelf(), log, records: null }
http
  .createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const c of req) chunks.push(c)
    const url = req.url!
    const [p, q = ''] = url.split('?')
    const t = performance.now()
    const path = base !== '' && p!.startsWith(base) ? p!.slice(base.length) || '/' : p!
    try {
      const site = { projectId: 'p', name: 'X', edition, base, origin: `http://127.0.0.1:${port}`, kind: 'live' as const, editUrl: () => null }
      const a = await handleSiteRequest(deps, site, { method: req.method!, path, query: new URLSearchParams(q), headers: req.headers, body: Buffer.concat(chunks) })
      res.writeHead(a.status, a.headers)
      if (a.body === null || req.method === 'HEAD') res.end()
      else if (typeof a.body === 'string' || Buffer.isBuffer(a.body)) res.end(a.body)
      else Readable.from(a.body).pipe(res)
      if (process.env.VERBOSE) console.log(req.method, url, a.status, (performance.now() - t).toFixed(1))
    } catch (e) {
      console.log(url, e)
      res.writeHead(500).end()
    }
  })
  .listen(Number(port), '127.0.0.1')
