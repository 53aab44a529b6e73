import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { DocentError } from '#base/errors.ts'
import { gitFailed, spawnGit } from './run-git.ts'

export interface NewObject {
  type: 'blob' | 'tree' | 'commit'
  content: Buffer
}

const packTypes = { commit: 1, tree: 2, blob: 3 }
const compress = promisify(deflate)
// As receive-pack does it: a few become files of their own, many a pack.
const mostLoose = 100
// Other threads do it: many small ones together take little longer than one.
const compressedAtOnce = 32

/** The id that git gives an object. */
export function objectId({ type, content }: NewObject): string {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex')
}

/**
 * Writes objects in one process, however many there are, by handing git a pack of them: `hash-object` takes one a
 * process, and an index or a ref would leave files behind when it is killed. git checks them as it would those
 * of a stranger. Those that are there already are no matter. Throws `invalid` `git.objects_refused`.
 */
export async function writeObjects(
  gitDir: string,
  objects: ReadonlyMap<string, NewObject>,
  signal?: AbortSignal,
): Promise<void> {
  if (objects.size === 0) return
  const few = objects.size <= mostLoose
  const args = few ? ['unpack-objects', '-q', '--strict'] : ['index-pack', '--stdin', '--strict', '--fix-thin']
  const child = spawnGit({ gitDir, signal, args })
  let stderr = ''
  child.stdout.resume()
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < 4000) stderr += chunk.toString('utf8')
  })
  const hash = createHash('sha1')
  for await (const part of packOf(objects)) {
    hash.update(part)
    // One that was ended reads nothing any more, and how it ended is told below.
    if (!child.stdin.writable) break
    if (!child.stdin.write(part)) await Promise.race([drained(child.stdin), child.ended])
  }
  child.stdin.end(hash.digest())
  const { code, signal: endedBy } = await child.ended
  if (code === 0) return
  if (endedBy) throw new DocentError('unavailable', 'git.stopped', `git ${args[0]} was stopped by ${endedBy}.`)
  const refusal = /(?:object [0-9a-f]{40}: |^error: )(.*(?:contains|invalid|not properly|has ).*)/m.exec(stderr)?.[1]
  if (refusal) throw new DocentError('invalid', 'git.objects_refused', `git refused the change: ${refusal}.`)
  throw gitFailed(args, code ?? -1, stderr)
}

async function* packOf(objects: ReadonlyMap<string, NewObject>): AsyncGenerator<Buffer> {
  const header = Buffer.alloc(12)
  header.write('PACK')
  header.writeUInt32BE(2, 4)
  header.writeUInt32BE(objects.size, 8)
  yield header
  const waiting = [...objects.values()]
  for (let part = waiting.splice(0, compressedAtOnce); part.length > 0; part = waiting.splice(0, compressedAtOnce)) {
    const compressed = await Promise.all(part.map(({ content }) => compress(content)))
    for (const [index, { type, content }] of part.entries()) {
      yield entryHeader(packTypes[type], content.length)
      yield compressed[index]!
    }
  }
}

/** Type and size: four bits of the size in the first byte, seven in each that follows. */
function entryHeader(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 128
    bytes.push(rest & 127)
  }
  return Buffer.from(bytes)
}

function drained(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((settle) => stream.once('drain', settle))
}
