import { open, rename, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { DocentError, messageOf } from '#base/errors.ts'
import { randomBase62 } from '#base/ids.ts'
import { stopRequested } from '../signals.ts'
import { rangeOptions, rangeParameters } from './analytics-visitors.ts'
import { createClient, serverOptions } from './client.ts'
import { defineCommand } from './command.ts'
import { findProjectId, projectOption } from './find-project.ts'

const formats = ['jsonl', 'parquet']
// As a shell has it for a program that Ctrl-C ended.
const interrupted = 130
const showEveryMs = 200

export const analyticsExport = defineCommand({
  name: 'analytics export',
  about: 'Writes every view to a file, oldest first. There are no addresses in it.',
  options: {
    out: { type: 'string', value: 'file', about: 'File to write; “-” is standard output.', required: true },
    format: { type: 'string', value: 'format', about: 'jsonl or parquet; by the name of the file if left out.' },
    ...rangeOptions,
    force: { type: 'boolean', about: 'Replace the file if it is there.' },
    ...projectOption,
    ...serverOptions,
  },
  examples: [
    'docent analytics export --out views.parquet --from 2026-01-01',
    'docent analytics export --format jsonl --out - | gzip > views.jsonl.gz',
  ],
  async run(input) {
    const { out, force, from, to, project: wanted } = input.options
    const format = input.options.format ?? (out.toLowerCase().endsWith('.parquet') ? 'parquet' : 'jsonl')
    if (!formats.includes(format)) {
      throw new DocentError('invalid', 'cli.usage', `--format: expected jsonl or parquet, found "${format}".`)
    }
    const file = out === '-' ? null : resolve(out)
    if (file !== null) await checkTarget(file, force)
    const client = createClient(input)
    const project = encodeURIComponent(await findProjectId(client, wanted))
    const parameters = rangeParameters({ from, to })
    parameters.set('format', format)
    const body = await client.download(`/v1/analytics/${project}/export?${parameters}`)

    const stop = new AbortController()
    void stopRequested().then(() => stop.abort())
    const chunks = counted(addAbortSignal(stop.signal, body))
    try {
      const bytes = await (file === null ? copyToOutput(chunks) : writeAside(chunks, file))
      if (file === null) input.output.note(`Wrote ${shownBytes(bytes)}.`)
      else input.output.result({ file, bytes }, `Wrote ${shownBytes(bytes)} to ${out}.`)
      return 0
    } catch (error) {
      if (!stop.signal.aborted) throw error
      input.output.note('Stopped; nothing was written.')
      return interrupted
    } finally {
      body.destroy()
    }
  },
})

async function checkTarget(file: string, force: boolean): Promise<void> {
  const there = await stat(file).catch(() => null)
  if (there?.isDirectory())
    throw new DocentError('invalid', 'cli.usage', `--out: ${file} is a folder; name a file in it.`)
  if (there && !force) {
    throw new DocentError('conflict', 'cli.file_exists', `${file} is there already. --force replaces it.`)
  }
}

interface Chunks extends AsyncIterable<Buffer> {
  /** How many there were so far. */
  bytes: number
}

/** The file appears whole or not at all: it has a name of its own until it is complete and on the disk. */
async function writeAside(chunks: Chunks, file: string): Promise<number> {
  const aside = `${file}.${randomBase62(8)}.part`
  const handle = await open(aside, 'wx').catch((error) => {
    throw new DocentError('invalid', 'cli.cannot_write', `${file} cannot be written: ${messageOf(error)}.`)
  })
  try {
    await handle.writeFile(chunks)
    await handle.sync()
    await handle.close()
    await rename(aside, file)
    return chunks.bytes
  } catch (error) {
    await handle.close()
    await rm(aside, { force: true })
    throw error
  }
}

async function copyToOutput(chunks: Chunks): Promise<number> {
  for await (const chunk of chunks) {
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(chunk, (error) => (error ? reject(error) : resolve()))
    })
  }
  return chunks.bytes
}

/** The bytes of a download; a person at a terminal sees their number grow. */
function counted(body: Readable): Chunks {
  const { stderr } = process
  const chunks: Chunks = { bytes: 0, [Symbol.asyncIterator]: () => read() }
  async function* read() {
    const show = () => stderr.write(`\r${shownBytes(chunks.bytes)} `)
    const showing = stderr.isTTY ? setInterval(show, showEveryMs) : null
    try {
      for await (const chunk of body) {
        chunks.bytes += chunk.length
        yield chunk as Buffer
      }
    } catch (error) {
      const message = `The server broke off after ${shownBytes(chunks.bytes)} (${messageOf(error)}). Try again.`
      throw new DocentError('unavailable', 'server.unreachable', message, { cause: error })
    } finally {
      if (showing !== null) {
        clearInterval(showing)
        stderr.write('\r\x1b[K')
      }
    }
  }
  return chunks
}

function shownBytes(bytes: number): string {
  if (bytes < 10_000) return `${bytes} bytes`
  return bytes < 10_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
