import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { type AgentKey, parseKeyDirectory } from '../signature/key-directory.ts'
import { signatureAgents } from '../signature/signature-agents.ts'
import { parseRangeFile } from './range-file.ts'
import { createRangeSearch, type RangeSearch } from './range-search.ts'
import { rangeSources } from './range-sources.ts'

/** What the files of `data/ranges` say. */
export interface PublishedFacts {
  ranges: RangeSearch
  /** When each list was got, in milliseconds since 1970. */
  fetchedAt: ReadonlyMap<string, number>
  /** By their id. */
  keys: ReadonlyMap<string, AgentKey & { host: string }>
  /** The day of the newest file; null without any. */
  date: string | null
}

// A file of ours is below 1 MB; what is larger is something else.
const mostBytes = 8 * 1024 * 1024
// Files are looked at again after this long: what changed is noticed within a minute, at next to no cost.
const checkMs = 10_000

/**
 * The folder's facts, read again when its files changed. Reading is synchronous, because verdicts are; it happens when
 * the operator has updated the lists, and takes some 20 ms. A file that makes no sense is reported and left out.
 */
export function openRangeFolder({ folder, log }: { folder: string; log: Log }): (now: number) => PublishedFacts {
  let seen = ''
  let checkedAt = Number.NEGATIVE_INFINITY
  let facts = readFacts([], log)
  return (now) => {
    if (Math.abs(now - checkedAt) < checkMs) return facts
    checkedAt = now
    const files = listFiles(folder)
    const state = files.map(({ name, changedAt, bytes }) => `${name}:${changedAt}:${bytes}`).join('\n')
    if (state !== seen) {
      seen = state
      facts = readFacts(files, log)
    }
    return facts
  }
}

interface ListFile {
  name: string
  path: string
  changedAt: number
  bytes: number
}

/** Only names that we know: a list without a source, or keys of an unknown agent, would mean nothing. */
export function listFiles(folder: string): ListFile[] {
  let present: Set<string>
  try {
    present = new Set(readdirSync(folder))
  } catch {
    // No lists yet: nothing can be verified, and nothing is taken for an imitation.
    return []
  }
  return fileNames().flatMap((name) => {
    if (!present.has(`${name}.json`)) return []
    const path = join(folder, `${name}.json`)
    const found = statSync(path, { throwIfNoEntry: false })
    return found?.isFile() ? [{ name, path, changedAt: found.mtimeMs, bytes: found.size }] : []
  })
}

/** The names of all files that can be in the folder, without `.json`. */
export function fileNames(): string[] {
  return [...rangeSources.map(({ name }) => name), ...signatureAgents.map(({ host }) => keysName(host))]
}

export function keysName(host: string): string {
  return `keys-${host}`
}

function readFacts(files: ListFile[], log: Log): PublishedFacts {
  const lists: { name: string; prefixes: string[] }[] = []
  const fetchedAt = new Map<string, number>()
  const keys = new Map<string, AgentKey & { host: string }>()
  let newest = 0
  for (const { name, path, changedAt, bytes } of files) {
    try {
      if (bytes > mostBytes) throw new Error(`expected at most ${mostBytes} bytes, found ${bytes}`)
      const text = readFileSync(path, 'utf8')
      const agent = signatureAgents.find(({ host }) => keysName(host) === name)
      if (agent) {
        for (const key of parseKeyDirectory(text).keys) keys.set(key.id, { ...key, host: agent.host })
      } else {
        const file = parseRangeFile(text)
        lists.push({ name, prefixes: file.prefixes })
        fetchedAt.set(name, file.fetchedAt === null ? changedAt : Date.parse(file.fetchedAt))
      }
      newest = Math.max(newest, fetchedAt.get(name) ?? changedAt)
    } catch (error) {
      log.warn({ file: path, reason: messageOf(error).slice(0, 500) }, 'analytics.range_file_ignored')
    }
  }
  const date = newest === 0 ? null : new Date(newest).toISOString().slice(0, 10)
  return { ranges: createRangeSearch(lists), fetchedAt, keys, date }
}
