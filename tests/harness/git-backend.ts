import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Answers a request of a git client by git's own `http-backend`, and resolves when it is answered. `path` is that of the
 * repository below `folder` and what is asked of it: `/docs.git/info/refs`.
 */
export async function serveGit(
  request: IncomingMessage,
  response: ServerResponse,
  {
    folder,
    path,
    query,
    onSent = () => {},
  }: {
    folder: string
    path: string
    query: string
    /** Hears how many bytes of git's answer were sent, at each piece. */
    onSent?: (bytes: number) => void
  },
): Promise<void> {
  const { headers } = request
  const child = spawn('git', ['-c', 'http.receivepack=true', 'http-backend'], {
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
      REMOTE_USER: 'somebody',
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const closed = once(child, 'close')
  child.stdin.on('error', () => {})
  request.pipe(child.stdin)
  let head: Buffer | null = Buffer.alloc(0)
  child.stdout.on('data', (chunk: Buffer) => {
    let body = chunk
    if (head !== null) {
      head = Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      writeHead(response, head.toString('latin1', 0, end))
      body = head.subarray(end + 4)
      head = null
    }
    response.write(body)
    onSent(body.length)
  })
  await closed
  if (head !== null) response.writeHead(500)
  response.end()
}

/** A CGI program says its status among the headers. */
function writeHead(response: ServerResponse, text: string): void {
  let status = 200
  for (const line of text.split('\r\n')) {
    const [name = '', value = ''] = line.split(/: (.*)/s)
    if (name === 'Status') status = Number.parseInt(value, 10)
    else response.setHeader(name, value)
  }
  response.writeHead(status)
}
