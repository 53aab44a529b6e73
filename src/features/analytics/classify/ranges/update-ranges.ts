import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '#base/clock.ts'
import { DocentError, messageOf } from '#base/errors.ts'
import { oneLine } from '#base/one-line.ts'
import { parseKeyDirectory } from '../signature/key-directory.ts'
import { keyDirectoryUrl, type SignatureAgent, signatureAgents } from '../signature/signature-agents.ts'
import { findListInPage, parseRangeFile } from './range-file.ts'
import { keysName } from './range-folder.ts'
import { type RangeSource, rangeSources } from './range-sources.ts'

/** What came of one list. */
export interface ListUpdate {
  name: string
  url: string
  /** Networks, or keys. */
  entries: number
  added: number
  removed: number
  /** Why it was not updated, and the file left as it was; null when it was. */
  fault: string | null
}

export interface UpdateOptions {
  folder: string
  /** Names of those to update; all when it is empty. Throws `invalid` for a name that is not known. */
  only: readonly string[]
  fetch: typeof globalThis.fetch
  clock: Clock
  userAgent: string
  sources?: readonly RangeSource[]
  agents?: readonly SignatureAgent[]
  onDone?: (update: ListUpdate) => void
}

const timeoutMs = 20_000
// The largest is a page of half a megabyte.
const mostBytes = 5 * 1024 * 1024

interface Target {
  name: string
  url: string
  /** What the file will say, made of what was answered. Throws a plain error when the answer makes no sense. */
  read(text: string): { entries: string[]; file: Record<string, unknown> }
}

/**
 * Gets the published lists and keys, and puts each into its file in one step: a server reads either the old one or the
 * new one. One that cannot be got or makes no sense leaves its file alone.
 */
export async function updateRanges(options: UpdateOptions): Promise<ListUpdate[]> {
  const { folder, only, sources = rangeSources, agents = signatureAgents } = options
  const targets = [...sources.map(rangeTarget), ...agents.map(keyTarget)]
  const unknown = only.find((name) => !targets.some((target) => target.name === name))
  if (unknown !== undefined) {
    const names = targets.map(({ name }) => name).join(', ')
    throw new DocentError(
      'invalid',
      'ranges.unknown_list',
      `There is no list "${oneLine(unknown, 80)}". There is: ${names}.`,
    )
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const updates: ListUpdate[] = []
  for (const target of targets.filter(({ name }) => only.length === 0 || only.includes(name))) {
    const update = await updateOne(target, options)
    options.onDone?.(update)
    updates.push(update)
  }
  return updates
}

async function updateOne(target: Target, { folder, fetch, clock, userAgent }: UpdateOptions): Promise<ListUpdate> {
  const { name, url } = target
  const path = join(folder, `${name}.json`)
  const before = await entriesOf(target, path)
  try {
    const { entries, file } = target.read(await download(fetch, url, userAgent))
    await writeWhole(path, { name, url, fetchedAt: clock.now().toISOString(), ...file })
    const [old, current] = [new Set(before), new Set(entries)]
    const added = entries.filter((entry) => !old.has(entry)).length
    return {
      name,
      url,
      entries: entries.length,
      added,
      removed: before.filter((entry) => !current.has(entry)).length,
      fault: null,
    }
  } catch (error) {
    const fault = oneLine(messageOf(error), 200)
    return { name, url, entries: before.length, added: 0, removed: 0, fault }
  }
}

function rangeTarget({ name, url, format }: RangeSource): Target {
  return {
    name,
    url,
    read(text) {
      // Our own file has its prefixes as text, so it is read with the same function as a page's list.
      const { prefixes, publishedAt } = parseRangeFile(format === 'page' && !isJson(text) ? findListInPage(text) : text)
      return { entries: prefixes, file: { publishedAt, prefixes } }
    },
  }
}

function keyTarget({ host }: SignatureAgent): Target {
  return {
    name: keysName(host),
    url: keyDirectoryUrl(host),
    read(text) {
      const keys = parseKeyDirectory(text).keys.map(({ id, key, notBefore, expires }) => {
        const { kty, crv, x } = key.export({ format: 'jwk' })
        return { kty, crv, x, kid: id, nbf: notBefore, exp: expires }
      })
      return { entries: keys.map(({ kid }) => kid), file: { keys } }
    },
  }
}

const isJson = (text: string) => text.trimStart().startsWith('{')

/** Of the file that is there; none when there is none that makes sense. */
async function entriesOf({ read }: Target, path: string): Promise<string[]> {
  try {
    return read(await readFile(path, 'utf8')).entries
  } catch {
    return []
  }
}

async function download(fetch: typeof globalThis.fetch, url: string, userAgent: string): Promise<string> {
  const response = await fetch(url, {
    headers: { accept: 'application/json, text/html;q=0.5, */*;q=0.1', 'user-agent': userAgent },
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    // fetch says only that it failed; the reason lies below.
    throw new Error(messageOf((error as { cause?: unknown }).cause ?? error))
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`answered ${response.status}`)
  }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    length += chunk.length
    if (length > mostBytes) throw new Error(`answered with more than ${mostBytes / 1024 / 1024} MB`)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function writeWhole(path: string, content: unknown): Promise<void> {
  const aside = `${path}.${randomUUID()}.tmp`
  try {
    await writeFile(aside, `${JSON.stringify(content, null, 1)}\n`, { mode: 0o600 })
    await rename(aside, path)
  } finally {
    await rm(aside, { force: true })
  }
}
