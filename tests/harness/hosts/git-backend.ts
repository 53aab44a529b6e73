import { spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Answers a request of a git client by `git http-backend`. `path` is the part after the repository's address. */
export async function serveGit(
  request: IncomingMessage,
  response: ServerResponse,
  { folder, path, query, user }: { folder: string; path: string; query: string; user: string },
): Promise<void> {
  const { headers } = request
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: `/repository.git${path}`,
      REQUEST_METHOD: request.method,
      QUERY_STRING: query,
      REMOTE_USER: user,
      CONTENT_TYPE: headers['content-type'],
      CONTENT_LENGTH: headers['content-length'],
      HTTP_CONTENT_ENCODING: headers['content-encoding'],
      GIT_PROTOCOL: headers['git-protocol']?.toString(),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.on('error', () => {})
  request.pipe(child.stdin)
  const chunks: Buffer[] = []
  for await (const chunk of child.stdout) chunks.push(chunk)
  const answer = Buffer.concat(chunks)
  const end = answer.indexOf('\r\n\r\n')
  if (end === -1) {
    response.writeHead(500).end()
    return
  }
  for (const line of answer.subarray(0, end).toString('latin1').split('\r\n')) {
    const [name, value] = line.split(/:\s*/, 2) as [string, string]
    if (name.toLowerCase() === 'status') response.statusCode = Number.parseInt(value, 10)
    else response.setHeader(name, value)
  }
  response.end(answer.subarray(end + 4))
}
