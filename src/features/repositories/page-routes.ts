import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DocentError } from '#base/errors.ts'
import type { Caller } from '#features/accounts/service.ts'
import type { HttpApp } from '#infra/http/http-app.ts'
import { type Change, readChange } from './pages/change.ts'
import { createHighlighter } from './pages/highlight.ts'
import { contentSecurityPolicy, stylesheetPath } from './pages/layout.ts'
import { renderListPage } from './pages/list-page.ts'
import { renderMessagePage } from './pages/message-page.ts'
import { type Notice, renderPullPage, type View } from './pages/pull-page.ts'
import { stylesheet } from './pages/stylesheet.ts'
import { closePullRequest, type Decision, getPullRequest, listPullRequests, mergePullRequest } from './pull-requests.ts'
import { getBuiltinRepository, type RepositoriesDeps } from './service.ts'

const ListParams = z.object({ slug: z.string() })
const PullParams = z.object({ slug: z.string(), number: z.string() })
const rowsAPage = 50
const mostFormBytes = 4_096

/**
 * Pull requests of the built-in host for people with a browser. Without scripts; what is decided, is decided by plain
 * forms, which are taken from our own pages only.
 */
export function pageRoutes(app: HttpApp, deps: RepositoriesDeps): void {
  const highlighter = createHighlighter()
  app.addHook('onClose', () => highlighter.close())
  app.register(async (instance) => {
    const scope = instance as unknown as HttpApp
    scope.removeAllContentTypeParsers()
    const form = { parseAs: 'string' as const, bodyLimit: mostFormBytes }
    scope.addContentTypeParser<string>('application/x-www-form-urlencoded', form, (_request, body, done) => {
      done(null, new URLSearchParams(body))
    })
    const reading = { basicAuth: true, readableHere: true }
    const hidden = { hide: true }

    scope.get(stylesheetPath, { config: { public: true }, schema: hidden }, async (_request, reply) =>
      reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=86400').send(stylesheet),
    )

    scope.get('/git/:slug', { config: reading, schema: { ...hidden, params: ListParams } }, async (request, reply) => {
      const slug = request.params.slug.replace(/\.git$/, '')
      await getBuiltinRepository(deps, { slug, by: callerOf(request) })
      return reply.redirect(`/git/${slug}/pulls`, 303)
    })

    scope.get(
      '/git/:slug/pulls',
      { config: reading, schema: { ...hidden, params: ListParams } },
      asPage(async (request, reply) => {
        const { slug } = request.params as z.infer<typeof ListParams>
        const query = request.query as Record<string, unknown>
        const state = query.state === 'ended' ? 'ended' : 'open'
        const page = { limit: rowsAPage, offset: offsetOf(query.offset) }
        const project = await getBuiltinRepository(deps, { slug, by: callerOf(request) })
        const { rows, hasMore, counts } = await listPullRequests(deps, { repository: project, state, page })
        return sendPage(reply, 200, renderListPage({ project, state, counts, rows, page: { ...page, hasMore } }))
      }),
    )

    scope.get(
      '/git/:slug/pulls/:number',
      { config: reading, schema: { ...hidden, params: PullParams } },
      asPage(async (request, reply) => {
        const { view } = request.query as Record<string, unknown>
        const page = await pullPage(request, { view: viewOf(view), notice: null })
        return sendPage(reply, 200, page)
      }),
    )

    for (const [action, decide] of [
      ['merge', mergePullRequest],
      ['close', closePullRequest],
    ] as const) {
      scope.post(
        `/git/:slug/pulls/:number/${action}`,
        { config: { basicAuth: true }, schema: { ...hidden, params: PullParams } },
        asPage(async (request, reply) => {
          requireOwnPage(request, deps.config)
          const fields = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
          const { slug } = request.params as z.infer<typeof PullParams>
          const repository = await getBuiltinRepository(deps, { slug, by: request.caller })
          const number = numberOf(request)
          const view = viewOf(fields.get('view'))
          const head = fields.get('head') || null
          const decision = await decide(deps, { repository, number, head, by: request.caller })
          if (decision.kind === 'done') {
            const query = view === 'split' ? '?view=split' : ''
            return reply.redirect(`/git/${repository.slug}/pulls/${number}${query}`, 303)
          }
          return sendPage(reply, 409, await pullPage(request, { view, notice: decision }))
        }),
      )
    }
  })

  async function pullPage(
    request: FastifyRequest,
    { view, notice }: { view: View; notice: Exclude<Decision, { kind: 'done' }> | null },
  ): Promise<string> {
    const { slug } = request.params as z.infer<typeof PullParams>
    const project = await getBuiltinRepository(deps, { slug, by: callerOf(request) })
    const { row, head, base } = await getPullRequest(deps, { repository: project, number: numberOf(request) })
    const isOpen = row.state === 'open'
    const ends = isOpen ? { head, base } : { head: row.headCommit, base: row.baseCommit }
    const change = await changeBetween(project.gitDir, ends)
    return await renderPullPage(
      { project, row, head, change, view, notice: notice satisfies Notice | null },
      { highlighter },
    )
  }
}

async function changeBetween(
  gitDir: string,
  { head, base }: { head: string | null; base: string | null },
): Promise<Change | null> {
  if (head === null || base === null) return null
  try {
    return await readChange(gitDir, { base, head })
  } catch (error) {
    if (error instanceof DocentError && error.kind === 'not_found') return null
    throw error
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** What is missing is told as a page; everything else as everywhere. */
function asPage(handler: Handler): Handler {
  return async (request, reply) => {
    try {
      return await handler(request, reply)
    } catch (error) {
      if (!(error instanceof DocentError) || error.kind !== 'not_found') throw error
      return sendPage(reply, 404, renderMessagePage({ title: 'Not found', text: error.message }))
    }
  }
}

function sendPage(reply: FastifyReply, status: number, page: string) {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'private, no-store',
      // Without a referrer at all, browsers would not say where a form comes from.
      'referrer-policy': 'same-origin',
    })
    .send(page)
}

/**
 * A browser sends a remembered password along with every request, also with a form of another site. So it must say that
 * the form was on a page of ours. A key in a Bearer header was put there by a program, which no form can do.
 */
function requireOwnPage({ headers }: FastifyRequest, { baseUrl }: { baseUrl: string }): void {
  const { origin, host, 'sec-fetch-site': site, authorization = '' } = headers
  if (/^bearer /i.test(authorization)) return
  const isOwnOrigin =
    origin !== undefined && URL.canParse(origin) && [host, new URL(baseUrl).host].includes(new URL(origin).host)
  if (site === undefined ? isOwnOrigin : site === 'same-origin') return
  const message = 'This is taken from the page of the pull request only. Open that page and use its button.'
  throw new DocentError('forbidden', 'auth.cross_site', message)
}

/** Null: somebody at this machine, who reads without a key. */
function callerOf(request: FastifyRequest): Caller | null {
  return request.caller as Caller | null
}

function numberOf(request: FastifyRequest): number {
  const { number } = request.params as z.infer<typeof PullParams>
  // What is no number is the number of none.
  return /^[1-9]\d{0,8}$/.test(number) ? Number(number) : 0
}

function viewOf(text: unknown): View {
  return text === 'split' ? 'split' : 'unified'
}

function offsetOf(text: unknown): number {
  return typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : 0
}
