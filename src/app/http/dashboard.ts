import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { messageOf } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { escapeHtml } from '#infra/http/html.ts'
import type { HttpApp } from '#infra/http/http-app.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const web = join(root, 'web')
const folder = join(web, 'dist')

// Scripts and styles are files of ours; nothing inline runs, whatever text a page shows.
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
}

/** The files of a built dashboard by their address, each with the compressed forms that the build made. */
export type DashboardFiles = Map<string, Buffer>

/** The dashboard as this process has it; built and read once. */
export interface Dashboard {
  /** Its files, or why there are none. */
  files(): Promise<DashboardFiles | { failed: string }>
  /** Begins to build it where it never was, in a process of its own, while the server already answers. */
  prepare(): void
}

/** Whether its sources have changed since it was built is looked at when somebody first opens it: a start need not wait. */
export function createDashboard({ log }: { log: Log }): Dashboard {
  let files: ReturnType<Dashboard['files']> | undefined
  const dashboard: Dashboard = {
    files: () =>
      (files ??= load().catch((err) => {
        log.error({ err }, 'dashboard.not_built')
        return { failed: messageOf(err) }
      })),
    prepare() {
      if (!existsSync(folder)) void dashboard.files()
    },
  }
  return dashboard
}

async function load(): Promise<DashboardFiles> {
  await promisify(execFile)(process.execPath, [join(web, 'build.ts')], { cwd: root, maxBuffer: 1024 * 1024 })
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files: DashboardFiles = new Map()
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name)
    files.set(relative(folder, path), await readFile(path))
  }
  return files
}

/** Serves the dashboard at /app/. What has a hash in its name is kept for ever; every other address is the app's page. */
export function dashboardRoutes(app: HttpApp, { dashboard }: { dashboard: Dashboard }): void {
  const hidden = { config: { public: true, reader: true }, schema: { hide: true } }
  app.get('/', hidden, (_request, reply) => reply.redirect('/app/', 302))
  app.get('/app', hidden, (_request, reply) => reply.redirect('/app/', 302))
  app.get('/app/*', hidden, async (request, reply) => {
    const built = await dashboard.files()
    if ('failed' in built) return sendNotBuilt(reply, built.failed)
    const name = (request.params as { '*': string })['*']
    if (built.has(name) && name !== 'sources.txt') return send(request, reply, { files: built, name })
    // A page that an earlier version had open asks for a part that is gone: not the page again, under a script's name.
    if (name.startsWith('assets/')) return reply.callNotFound()
    return send(request, reply, { files: built, name: 'index.html' })
  })
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { files, name }: { files: DashboardFiles; name: string },
): FastifyReply {
  const accepted = request.headers['accept-encoding'] ?? ''
  const encoding = ['br', 'gzip'].find((coding) => new RegExp(`\\b${coding}\\b`).test(accepted))
  const compressed = encoding && files.get(`${name}${encoding === 'br' ? '.br' : '.gz'}`)
  if (compressed) reply.header('content-encoding', encoding)
  return reply
    .header('content-security-policy', contentSecurityPolicy)
    .header('cache-control', name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    .header('vary', 'accept-encoding')
    .type(contentTypes[extname(name)] ?? 'application/octet-stream')
    .send(compressed || files.get(name))
}

function sendNotBuilt(reply: FastifyReply, reason: string): FastifyReply {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Docent</title>
<h1>The dashboard could not be built</h1>
<p>The API and the sites work without it. Run <code>node_modules/.bin/node web/build.ts</code>, mend what it says, and start again.</p>
<pre>${escapeHtml(reason.slice(0, 4000))}</pre></html>`
  return reply.code(500).type('text/html; charset=utf-8').send(page)
}
