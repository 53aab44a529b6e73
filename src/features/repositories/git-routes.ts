import { Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { readAllHeads } from '#backends/hosts/builtin/branches.ts'
import {
  createHttpBackend,
  type GitAnswer,
  type HttpBackend,
  pushTooLarge,
} from '#backends/hosts/builtin/http-backend.ts'
import type { Caller } from '#features/accounts/service.ts'
import type { Config } from '#infra/config/settings.ts'
import { removeStaleLocks } from '#infra/git/leftovers.ts'
import type { HttpApp } from '#infra/http/http-app.ts'
import { recordPush } from './push-events.ts'
import { type BuiltinRepository, getBuiltinRepository, type RepositoriesDeps } from './service.ts'

type Deps = Omit<RepositoriesDeps, 'config'> & { config: Config }

const Params = z.object({ slug: z.string() })

/**
 * Repositories over git's smart protocol, for git clients. The key comes as a password that a browser also remembers and
 * sends along with the forms of any other site; but no form can send these content types, and git takes no other.
 */
export function gitRoutes(app: HttpApp, deps: Deps): void {
  const mostBytes = deps.config.gitPushLimitMb * 1_000_000
  const backend = createHttpBackend({ folder: deps.config.repositories, mostBytes })
  app.register(async (instance) => {
    const scope = instance as unknown as HttpApp
    // The body goes to git as it comes; git sees to its size.
    scope.removeAllContentTypeParsers()
    for (const service of ['upload', 'receive']) {
      scope.addContentTypeParser(`application/x-git-${service}-pack-request`, (_request, payload, done) => {
        done(null, payload)
      })
    }
    const options = { schema: { hide: true, params: Params } }
    const reading = { basicAuth: true, scope: 'read', bodyTimeoutMs: longestBodyMs } as const
    const writing = { ...reading, scope: 'write' } as const

    scope.get('/git/:slug/info/refs', { ...options, config: reading }, async (request, reply) => {
      const repository = await repositoryOf(deps, request)
      return send(reply, await serve({ backend, repository, path: 'info/refs', request, reply }))
    })
    scope.post('/git/:slug/git-upload-pack', { ...options, config: reading }, async (request, reply) => {
      const repository = await repositoryOf(deps, request)
      return send(reply, await serve({ backend, repository, path: 'git-upload-pack', request, reply }))
    })
    scope.post('/git/:slug/git-receive-pack', { ...options, config: writing }, async (request, reply) => {
      const repository = await repositoryOf(deps, request)
      refuseTooLarge(request, mostBytes)
      // A git that was killed may have left one, and no push would ever get past it.
      await removeStaleLocks(repository.gitDir)
      const before = await readAllHeads(repository.gitDir)
      const answer = await serve({ backend, repository, path: 'git-receive-pack', request, reply })
      // However it ended, for branches may have moved before it did; and before the client is told that it is over.
      const recorded = answer.ended
        .then(() => recordPush(deps, { repository, before, by: request.caller }))
        .catch((err) => request.log.error({ err, projectId: repository.projectId }, 'repositories.push_not_recorded'))
      return send(reply, { ...answer, body: answer.body.pipe(endingAfter(recorded)) })
    })
  })
}

// As long as the server lets any request take.
const longestBodyMs = 3_600_000

type GitHttpRequest = FastifyRequest<{ Params: z.infer<typeof Params> }>

async function repositoryOf(deps: Deps, request: GitHttpRequest): Promise<BuiltinRepository> {
  const name = request.params.slug
  const slug = name.endsWith('.git') ? name.slice(0, -'.git'.length) : ''
  return await getBuiltinRepository(deps, { slug, by: request.caller })
}

async function serve({
  backend,
  repository,
  path,
  request,
  reply,
}: {
  backend: HttpBackend
  repository: BuiltinRepository
  path: string
  request: GitHttpRequest
  reply: FastifyReply
}): Promise<GitAnswer> {
  const caller: Caller = request.caller
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  const { method, url, headers, body } = request
  return await backend.serve({
    projectId: repository.projectId,
    method,
    path,
    query: url.split('?')[1] ?? '',
    headers: Object.fromEntries(Object.entries(headers).filter((entry) => typeof entry[1] === 'string')) as never,
    body: method === 'POST' ? ((body ?? null) as never) : null,
    mayPush: caller.scopes.includes('write'),
    user: caller.actor.id ?? caller.actor.kind,
    signal: gone.signal,
  })
}

function send(reply: FastifyReply, { status, headers, body }: Pick<GitAnswer, 'status' | 'headers' | 'body'>) {
  return reply.code(status).headers(headers).send(body)
}

/** Passes everything on, and ends when the promise is settled. */
function endingAfter(done: Promise<unknown>): Transform {
  return new Transform({
    transform: (chunk, _encoding, next) => next(null, chunk),
    flush: (end) => void done.finally(() => end()),
  })
}

/** Where the size is told beforehand, nothing of it needs to be read. */
function refuseTooLarge({ headers }: FastifyRequest, mostBytes: number): void {
  if (Number(headers['content-length'] ?? 0) <= mostBytes) return
  throw pushTooLarge(mostBytes)
}
