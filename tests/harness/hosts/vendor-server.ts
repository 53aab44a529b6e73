import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { VendorFault } from '#backends/hosts/vendor-host.contract.ts'
import { serveGit } from '../git-backend.ts'
import { createVendorRepository, type StoredPullRequest, type VendorRepository } from './vendor-repository.ts'

/** What a token may do; what is not known is expired, revoked or wrong. */
export type Access = 'read' | 'write'

export interface VendorAnswer {
  status: number
  headers?: Record<string, string>
  body?: unknown
}

export interface VendorCall {
  method: string
  /** Below the API's address, as it came: still encoded. */
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
  access: Access | null
  server: VendorServer
}

/** What makes one vendor's server differ from another's. */
export interface Vendor {
  name: 'github' | 'gitlab' | 'gitea' | 'bitbucket'
  /** Of the API: `/api/v4`. */
  apiPath: string
  /** Said to whoever pushes to the protected branch. */
  protectedWords: string
  /** The token of an API request; null without one. */
  tokenOf(headers: IncomingHttpHeaders): string | null
  /** The token that git was given, if it was given the way that this vendor asks for. */
  gitTokenOf(login: { username: string; password: string }): string | null
  isDraft(pull: StoredPullRequest): boolean
  pageOf(server: VendorServer, number: number): string
  refusals: {
    unauthenticated: VendorAnswer
    /** No credential, for a repository that not everyone may see. */
    anonymous: VendorAnswer
    forbidden: VendorAnswer
    notFound: VendorAnswer
    failing: VendorAnswer
    /** As the vendor itself limits, with `limitSeconds` to wait where it says so. */
    limited: VendorAnswer
  }
  /** Comes before everything that asks for a token. */
  routePublic?(call: VendorCall): VendorAnswer | null
  route(call: VendorCall): Promise<VendorAnswer | null>
}

export interface VendorServer extends AsyncDisposable {
  origin: string
  apiUrl: string
  /** Changes when the repository is renamed; `acme/docs` at first, and for GitLab in a nested group. */
  path: string
  /** What it is called now, and was called before. */
  repositoryUrl: string
  repositoryId: number
  token: string
  /** By token. Delete one to let it expire. */
  tokens: Map<string, Access>
  repository: VendorRepository
  /** Every request that came, to the API and from git. */
  requests: { method: string; url: string; headers: IncomingHttpHeaders }[]
  /** What it does to the API requests that follow, until it has done so that many times. */
  fail(fault: VendorFault, options?: { times?: number; method?: string }): void
  recover(): void
  /** Waited for when a request has come, and again when an API request's work is done but not answered yet. */
  gate: ((moment: 'before' | 'after', request: { method: string; url: string }) => Promise<void>) | null
  /** Moves the repository; the old address redirects. */
  rename(path: string): void
  pageOf(number: number): string
  isDraft(number: number): boolean
}

export interface VendorServerOptions {
  defaultBranch?: string
  token?: string
  path?: string
}

const repositoryId = 1_296_269
/** How long a limit lasts that the vendor tells in its own way. */
export const limitSeconds = 90

export async function startVendorServer(vendor: Vendor, options: VendorServerOptions = {}): Promise<VendorServer> {
  const { defaultBranch = 'trunk', token = 'good-token', path = 'acme/docs' } = options
  const repository = await createVendorRepository({ defaultBranch, protectedWords: vendor.protectedWords })
  const oldPaths: string[] = []
  let armed: { fault: VendorFault; times: number; method: string | undefined } | null = null

  const http = createServer((request, response) => {
    answer(request, response).catch((error) => {
      response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error))
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`

  const server: VendorServer = {
    origin,
    apiUrl: origin + vendor.apiPath,
    path,
    repositoryUrl: `${origin}/${path}`,
    repositoryId,
    token,
    tokens: new Map([[token, 'write']]),
    repository,
    requests: [],
    gate: null,
    fail(fault, { times = Number.POSITIVE_INFINITY, method } = {}) {
      armed = { fault, times, method }
    },
    recover() {
      armed = null
    },
    rename(next) {
      oldPaths.push(server.path)
      server.path = next
      server.repositoryUrl = `${origin}/${next}`
    },
    pageOf: (number) => vendor.pageOf(server, number),
    isDraft: (number) => vendor.isDraft(repository.get(number)),
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
      await repository[Symbol.asyncDispose]()
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, origin)
    server.requests.push({ method: request.method!, url: request.url!, headers: request.headers })
    await server.gate?.('before', { method: request.method!, url: request.url! })
    if (url.pathname.startsWith(`${vendor.apiPath}/`)) await answerApi(request, response, url)
    else await answerGit(request, response, url)
  }

  async function answerApi(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('utf8')
    const fault = takeFault(request.method!)
    const before = fault && answerBefore(fault)
    if (before === 'hang') return
    if (before) return reply(response, before)

    const sent = vendor.tokenOf(request.headers)
    const call: VendorCall = {
      method: request.method!,
      path: url.pathname.slice(vendor.apiPath.length),
      query: url.searchParams,
      headers: request.headers,
      body: text ? JSON.parse(text) : {},
      access: sent === null ? null : (server.tokens.get(sent) ?? null),
      server,
    }
    if (fault?.kind === 'created meanwhile' && call.method === 'POST') createFor(call.body)
    const done = await decide(call, sent)
    await server.gate?.('after', { method: call.method, url: request.url! })
    if (fault?.kind === 'answer lost') return reply(response, vendor.refusals.failing)
    if (fault?.kind === 'huge') return replyHuge(response)
    if (fault?.kind === 'malformed') {
      response.writeHead(done.status, { 'content-type': 'text/html' }).end('<html>Down for maintenance</html>')
      return
    }
    if (fault?.kind === 'other shape') return reply(response, { status: done.status, body: { hello: 'world' } })
    reply(response, done)
  }

  async function decide(call: VendorCall, sent: string | null): Promise<VendorAnswer> {
    const open = vendor.routePublic?.(call)
    if (open) return open
    if (sent === null) return vendor.refusals.anonymous
    if (call.access === null) return vendor.refusals.unauthenticated
    const found = await vendor.route(call)
    return found ?? vendor.refusals.notFound
  }

  function takeFault(method: string): VendorFault | null {
    if (!armed || armed.times <= 0 || (armed.method && armed.method !== method)) return null
    armed.times -= 1
    return armed.fault
  }

  /** What is done in place of the work; null when the work is done first. */
  function answerBefore(fault: VendorFault): VendorAnswer | 'hang' | null {
    const { limited, failing } = vendor.refusals
    switch (fault.kind) {
      case 'hanging':
        return 'hang'
      case 'redirect':
        return { status: 302, headers: { location: fault.to } }
      case 'failing':
        return { ...failing, headers: { ...retryAfter(fault.retryAfterSeconds) } }
      case 'rate limited':
        return fault.retryAfterSeconds === null
          ? limited
          : { status: 429, body: limited.body, headers: { ...retryAfter(fault.retryAfterSeconds) } }
      default:
        return null
    }
  }

  /** Somebody else was quicker. */
  function createFor(body: Record<string, unknown>): void {
    const nameOf = (value: unknown): string =>
      typeof value === 'string' ? value : (value as { branch: { name: string } }).branch.name
    const branch = nameOf(body.head ?? body.source_branch ?? body.source)
    const base = nameOf(body.base ?? body.target_branch ?? body.destination)
    repository.addPullRequest({ title: 'From elsewhere', branch, base })
  }

  async function answerGit(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const [, path, rest] =
      /^\/(.+?)(?:\.git)?(\/(?:info\/refs|git-upload-pack|git-receive-pack))$/.exec(url.pathname) ?? []
    if (path !== undefined && oldPaths.includes(path)) {
      const location = `${origin}/${server.path}.git${rest}${url.search}`
      response.writeHead(301, { location }).end()
      return
    }
    if (path !== server.path) {
      response.writeHead(404).end()
      return
    }
    const access = gitAccess(request.headers.authorization)
    const isPush = rest === '/git-receive-pack' || url.searchParams.get('service') === 'git-receive-pack'
    if (access === null) response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
    else if (isPush && access !== 'write') response.writeHead(403).end()
    else
      await serveGit(request, response, {
        folder: repository.folder,
        path: `/repository.git${rest}`,
        query: url.search.slice(1),
      })
  }

  function gitAccess(authorization: string | undefined): Access | null {
    const [scheme, encoded] = authorization?.split(' ') ?? []
    if (scheme?.toLowerCase() !== 'basic' || !encoded) return null
    const [, username, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? []
    const sent = vendor.gitTokenOf({ username: username ?? '', password: password ?? '' })
    return sent === null ? null : (server.tokens.get(sent) ?? null)
  }

  return server

  function reply(response: ServerResponse, { status, headers, body }: VendorAnswer): void {
    const filled = Object.entries(headers ?? {}).map(([name, value]) => [name, value.replace('{reset}', resetTime())])
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...Object.fromEntries(filled) })
    response.end(body === undefined ? '' : JSON.stringify(body))
  }
}

function resetTime(): string {
  return String(Math.floor(Date.now() / 1000) + limitSeconds)
}

function retryAfter(seconds: number | undefined): Record<string, string> {
  return seconds === undefined ? {} : { 'retry-after': String(seconds) }
}

/** Goes on for as long as somebody reads. */
function replyHuge(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const chunk = Buffer.alloc(64 * 1024, ' ')
  const more = () => {
    while (!response.destroyed && response.write(chunk)) {}
  }
  response.on('drain', more).on('error', () => {})
  more()
}

/** One page of a list, newest first unless the caller has ordered it. */
export function pageOf<T>(all: T[], query: URLSearchParams, sizeName: string, most = 100): T[] {
  const size = Math.min(Number(query.get(sizeName) ?? 30), most)
  const page = Number(query.get('page') ?? 1)
  return all.slice((page - 1) * size, page * size)
}
