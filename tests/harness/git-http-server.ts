import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveGit } from './git-backend.ts'

/** What the server does to requests from now on. */
export interface GitHttpBehaviour {
  /** `username:password` that every request must have. */
  credential: string | null
  /** Answers that take the place of git's: for requests whose method and address match. */
  answers: { when: RegExp; status: number; headers?: Record<string, string>; body?: string }[]
  /** How long it waits before each answer. */
  delayMs: number
  /** It closes the connection after so many bytes of an answer. */
  breakAfterBytes: number | null
}

export interface GitHttpServer extends AsyncDisposable {
  readonly url: string
  readonly behaviour: GitHttpBehaviour
  /** What was asked, such as `GET /docs.git/info/refs?service=git-upload-pack`. */
  readonly requests: { line: string; authorization: string | null }[]
  /** Bytes of git's answers. */
  readonly sentBytes: number
  reset(): void
}

const usual = (): GitHttpBehaviour => ({ credential: null, answers: [], delayMs: 0, breakAfterBytes: null })

/** The repositories of a folder over smart HTTP, by git's own server program, that can be told to misbehave. */
export async function startGitHttpServer(folder: string): Promise<GitHttpServer> {
  const behaviour = usual()
  const requests: GitHttpServer['requests'] = []
  let sentBytes = 0

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const line = `${request.method} ${request.url}`
    requests.push({ line, authorization: request.headers.authorization ?? null })
    if (behaviour.delayMs > 0) await sleep(behaviour.delayMs)
    const expected = behaviour.credential && `Basic ${Buffer.from(behaviour.credential).toString('base64')}`
    if (expected && request.headers.authorization !== expected) {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end('who are you?\n')
      return
    }
    const other = behaviour.answers.find(({ when }) => when.test(line))
    if (other) {
      response.writeHead(other.status, other.headers).end(other.body ?? '')
      return
    }
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
    await serveGit(request, response, {
      folder,
      path: decodeURIComponent(pathname),
      query: search.slice(1),
      onSent(bytes) {
        sentBytes += bytes
        if (behaviour.breakAfterBytes !== null && sentBytes > behaviour.breakAfterBytes) response.destroy()
      },
    })
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behaviour,
    requests,
    get sentBytes() {
      return sentBytes
    },
    reset() {
      Object.assign(behaviour, usual())
      requests.length = 0
      sentBytes = 0
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((settle) => server.close(settle))
    },
  }
}
