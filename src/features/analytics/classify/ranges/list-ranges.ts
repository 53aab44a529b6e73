import { readFile } from 'node:fs/promises'
import { messageOf } from '#base/errors.ts'
import { oneLine } from '#base/one-line.ts'
import { parseKeyDirectory } from '../signature/key-directory.ts'
import { keyDirectoryUrl, signatureAgents } from '../signature/signature-agents.ts'
import { parseRangeFile } from './range-file.ts'
import { keysName, listFiles } from './range-folder.ts'
import { rangeSources } from './range-sources.ts'

export interface ListState {
  name: string
  operator: string
  url: string
  kind: 'addresses' | 'keys'
  /** Null when there is no file. */
  file: { entries: number; fetchedAt: string } | null
  /** What is wrong with the file. */
  fault: string | null
}

/** Every list that there can be, with what the folder has of it. */
export async function listRanges(folder: string): Promise<ListState[]> {
  const files = new Map(listFiles(folder).map((file) => [file.name, file]))
  const known = [
    ...rangeSources.map(({ name, operator, url }) => ({ name, operator, url, kind: 'addresses' as const })),
    ...signatureAgents.map(({ host, operator }) => {
      return { name: keysName(host), operator, url: keyDirectoryUrl(host), kind: 'keys' as const }
    }),
  ]
  return await Promise.all(
    known.map(async (list): Promise<ListState> => {
      const file = files.get(list.name)
      if (!file) return { ...list, file: null, fault: null }
      try {
        const text = await readFile(file.path, 'utf8')
        const { entries, fetchedAt } = list.kind === 'keys' ? keysIn(text) : prefixesIn(text)
        const date = fetchedAt ?? new Date(file.changedAt).toISOString()
        return { ...list, file: { entries, fetchedAt: date }, fault: null }
      } catch (error) {
        return { ...list, file: null, fault: oneLine(messageOf(error), 200) }
      }
    }),
  )
}

function keysIn(text: string) {
  const { keys, fetchedAt } = parseKeyDirectory(text)
  return { entries: keys.length, fetchedAt }
}

function prefixesIn(text: string) {
  const { prefixes, fetchedAt } = parseRangeFile(text)
  return { entries: prefixes.length, fetchedAt }
}
