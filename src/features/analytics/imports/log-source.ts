import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { DocentError, messageOf } from '#base/errors.ts'
import { decompressZstd } from './zstd-frames.ts'

const chunkBytes = 1024 * 1024

/** A log as bytes: a file, perhaps compressed, or what is piped in. */
export interface LogSource {
  /** For people: the name of the file, or `standard input`. */
  name: string
  /** Bytes of the file as it is on disk; null: not known beforehand. */
  size: number | null
  /** Whether more may be appended to it: then a last line without its end is not yet whole. */
  mayGrow: boolean
  /** Whether it can be read again from its start. */
  isRepeatable: boolean
  /** The first bytes of the content: so many, or all that there are. Throws `invalid` if it is damaged before its first line ends. */
  head(length: number): Promise<Buffer>
  /** The content, decompressed, from this byte of it on. Of what is not repeatable, once. Throws `invalid` for damage. */
  read(from: number): AsyncGenerator<Buffer>
  /** Bytes on disk that were read so far. */
  bytesRead(): number
}

/** Throws `not_found`, `invalid` (a folder) or `forbidden` for what cannot be read. */
export async function openLogFile(path: string): Promise<LogSource> {
  const about = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error)
  })
  if (about.isDirectory()) {
    const message = `${path} is a folder. Expected log files: name them, such as ${path.replace(/\/+$/, '')}/*.log`
    throw new DocentError('invalid', 'import.folder', message)
  }
  if (!about.isFile()) return streamSource(createReadStream(path, { highWaterMark: chunkBytes }), path)
  const compression = await compressionOf(path)
  let bytesRead = 0
  async function* bytes(from: number): AsyncGenerator<Buffer> {
    bytesRead = from
    for await (const chunk of createReadStream(path, { start: from, highWaterMark: chunkBytes })) {
      bytesRead += chunk.length
      yield chunk as Buffer
    }
  }
  const read = (from: number) => (compression === null ? bytes(from) : skip(decompress(compression, bytes(0)), from))
  return {
    name: path,
    size: about.size,
    mayGrow: compression === null,
    isRepeatable: true,
    async head(length) {
      const content = read(0)
      try {
        return headOf(await gather(content, length), length)
      } finally {
        await content.return(undefined)
      }
    },
    read,
    bytesRead: () => bytesRead,
  }
}

/** What is piped in. It ends when whoever writes ends, so its last line is whole. */
export function streamSource(stream: AsyncIterable<Buffer>, name: string): LogSource {
  let bytesRead = 0
  async function* bytes(): AsyncGenerator<Buffer> {
    const iterator = stream[Symbol.asyncIterator]()
    // A pipe may give its first bytes one by one.
    let first = Buffer.alloc(0)
    while (first.length < 4) {
      const { value, done } = await iterator.next()
      if (done) break
      bytesRead += value.length
      first = Buffer.concat([first, value])
    }
    async function* all(): AsyncGenerator<Buffer> {
      yield first
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
        bytesRead += next.value.length
        yield next.value
      }
    }
    const compression = compressionIn(first)
    yield* compression === null ? all() : decompress(compression, all())
  }
  const content = bytes()
  let held: Gathered = { bytes: Buffer.alloc(0), fault: null }
  async function* replay(): AsyncGenerator<Buffer> {
    if (held.bytes.length > 0) yield held.bytes
    if (held.fault) throw held.fault
    yield* content
  }
  return {
    name,
    size: null,
    mayGrow: false,
    isRepeatable: false,
    async head(length) {
      held = await gather(content, length)
      return headOf(held, length)
    },
    read: (from) => skip(replay(), from),
    bytesRead: () => bytesRead,
  }
}

interface Gathered {
  bytes: Buffer
  /** What is damaged after these. */
  fault: DocentError | null
}

/** Throws what is damaged when there is no whole line before it: of part of one nobody could tell what it is. */
function headOf({ bytes, fault }: Gathered, length: number): Buffer {
  if (fault !== null && !bytes.includes(0x0a)) throw fault
  return bytes.subarray(0, length)
}

/** Chunks until there are so many bytes, joined. The rest can still be read. */
async function gather(content: AsyncGenerator<Buffer>, length: number): Promise<Gathered> {
  const parts: Buffer[] = []
  try {
    for (let size = 0; size < length; ) {
      const next = await content.next()
      if (next.done) break
      parts.push(next.value)
      size += next.value.length
    }
    return { bytes: Buffer.concat(parts), fault: null }
  } catch (error) {
    if (!(error instanceof DocentError)) throw error
    return { bytes: Buffer.concat(parts), fault: error }
  }
}

type Compression = 'gzip' | 'zstd'

/** Told by the first bytes: rotated logs have all kinds of names. */
function compressionIn(head: Buffer): Compression | null {
  if (head.length >= 2 && head[0] === 0x1f && head[1] === 0x8b) return 'gzip'
  if (head.length < 4) return null
  const magic = head.readUInt32LE()
  const isSkippable = (magic & 0xfffffff0) >>> 0 === 0x184d2a50
  return magic === 0xfd2fb528 || isSkippable ? 'zstd' : null
}

async function compressionOf(path: string): Promise<Compression | null> {
  try {
    await using file = await open(path)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return compressionIn(buffer.subarray(0, bytesRead))
  } catch (error) {
    throw unreadable(path, error)
  }
}

async function* decompress(compression: Compression, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (compression === 'zstd') {
    yield* decompressZstd(bytes)
    return
  }
  const gunzip = createGunzip({ chunkSize: chunkBytes })
  pipeline(Readable.from(bytes), gunzip, () => {})
  try {
    for await (const chunk of gunzip) yield chunk as Buffer
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error
    const message = `Expected whole gzip data, found a fault (${messageOf(error)}). Is the file complete?`
    throw new DocentError('invalid', 'import.damaged', message, { cause: error })
  }
}

async function* skip(chunks: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes
  for await (const chunk of chunks) {
    if (left < chunk.length) yield left === 0 ? chunk : chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}

function unreadable(path: string, error: unknown): DocentError {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return new DocentError('not_found', 'import.no_file', `There is no file ${path}.`)
  if (code === 'EACCES' || code === 'EPERM') {
    return new DocentError('forbidden', 'import.unreadable', `This user may not read ${path}.`, { cause: error })
  }
  return new DocentError('invalid', 'import.unreadable', `${path} cannot be read: ${messageOf(error)}.`, {
    cause: error,
  })
}
