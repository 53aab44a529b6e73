import { pipeline, Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { DocentError, messageOf } from '#base/errors.ts'

const frameMagic = 0xfd2fb528
const skippableMagic = 0x184d2a50

/**
 * What zstd-compressed bytes hold, however many frames they are: `cat a.zst b.zst` and parallel compressors make several.
 * Node's own stops after the first frame without a word, and ends quietly where a file was cut off; so the frames are told
 * apart here, and each is decompressed by itself. Throws `invalid` for what is no zstd or ends too early.
 */
export async function* decompressZstd(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const reader = createByteReader(chunks)
  while (!(await reader.isAtEnd())) {
    const head = await reader.read(4)
    const magic = head.readUInt32LE()
    // Its lowest four bits are free for programs to use.
    if ((magic & 0xfffffff0) >>> 0 === skippableMagic) {
      for (let left = (await reader.read(4)).readUInt32LE(); left > 0; ) {
        left -= (await reader.read(Math.min(left, 65_536))).length
      }
    } else if (magic === frameMagic) {
      const decompress = createZstdDecompress()
      const cut = { fault: null as DocentError | null }
      // An error of either side ends the other, and comes out of the loop below.
      pipeline(Readable.from(upToFault(frame(reader, head), cut)), decompress, () => {})
      try {
        for await (const chunk of decompress) yield chunk as Buffer
      } catch (error) {
        throw damaged(`a fault (${messageOf(error)})`)
      }
      if (cut.fault) throw cut.fault
    } else {
      throw damaged('bytes between two frames that are no frame')
    }
  }
}

/** Ends where the bytes do, so that what came before is still decompressed, and leaves the fault for later. */
async function* upToFault(bytes: AsyncIterable<Buffer>, cut: { fault: DocentError | null }): AsyncGenerator<Buffer> {
  try {
    yield* bytes
  } catch (error) {
    if (!(error instanceof DocentError)) throw error
    cut.fault = error
  }
}

/** One frame as it stands, found by its block headers (RFC 8878, 3.1.1). */
async function* frame(reader: ByteReader, head: Buffer): AsyncGenerator<Buffer> {
  yield head
  const descriptor = await reader.read(1)
  yield descriptor
  const flags = descriptor[0]!
  const isSingleSegment = (flags & 0x20) !== 0
  const hasChecksum = (flags & 0x04) !== 0
  const windowBytes = isSingleSegment ? 0 : 1
  const dictionaryBytes = [0, 1, 2, 4][flags & 0x03]!
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][flags >> 6]!
  const rest = windowBytes + dictionaryBytes + sizeBytes
  if (rest > 0) yield await reader.read(rest)
  for (let isLast = false; !isLast; ) {
    const header = await reader.read(3)
    yield header
    const bits = header.readUIntLE(0, 3)
    isLast = (bits & 1) === 1
    // A block of one repeated byte has only that byte, whatever its size says.
    const size = ((bits >> 1) & 3) === 1 ? 1 : bits >> 3
    if (size > 0) yield await reader.read(size)
  }
  if (hasChecksum) yield await reader.read(4)
}

interface ByteReader {
  isAtEnd(): Promise<boolean>
  /** Exactly so many bytes. Throws when there are fewer. */
  read(length: number): Promise<Buffer>
}

function createByteReader(chunks: AsyncIterable<Buffer>): ByteReader {
  const iterator = chunks[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  async function fill(length: number): Promise<boolean> {
    const parts = [held]
    let size = held.length
    while (size < length) {
      const { value, done } = await iterator.next()
      if (done) break
      parts.push(value)
      size += value.length
    }
    if (parts.length > 1) held = Buffer.concat(parts)
    return size >= length
  }
  return {
    isAtEnd: async () => !(await fill(1)),
    async read(length) {
      if (!(await fill(length))) throw damaged('an end in the middle of a frame')
      const bytes = held.subarray(0, length)
      held = held.subarray(length)
      return bytes
    },
  }
}

function damaged(found: string): DocentError {
  return new DocentError(
    'invalid',
    'import.damaged',
    `Expected whole zstd frames, found ${found}. Is the file complete?`,
  )
}
