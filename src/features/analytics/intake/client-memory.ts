import type { HitClient } from './hit.ts'
import type { Reader } from './reader.ts'

/** Readers by their addresses, of clients that are alike in everything else. */
export type Alike = Map<string, Reader>

/**
 * Who clients without an id of their own are. Found by user agent first, of which there are few, and then by address: a
 * key of both joined would be a long text to make and to look up for each hit.
 */
export interface ClientMemory {
  /** Null where this is not one to be remembered. */
  alikeOf(contextId: number, client: HitClient): Alike | null
  remember(alike: Alike, address: string, reader: Reader): void
}

interface Group extends Pick<HitClient, 'source' | 'category'> {
  accept: HitClient['accept'] | undefined
  acceptLanguage: HitClient['acceptLanguage'] | undefined
  readers: Alike
}

// Of one user agent. Each is compared, and strangers choose what they send.
const mostGroups = 16
const mostLength = 1_000

/** Forgets all when it is full: what of it still comes is soon known again. */
export function createClientMemory(limits: { mostEntries: number; mostCharacters: number }): ClientMemory {
  const contexts = new Map<number, Map<string | null, Group[]>>()
  let entries = 0
  let characters = 0

  function grow(length: number): void {
    entries++
    characters += length
    if (entries <= limits.mostEntries && characters <= limits.mostCharacters) return
    contexts.clear()
    entries = 1
    characters = length
  }

  function groupsOf(contextId: number, userAgent: string | null): Group[] {
    let agents = contexts.get(contextId)
    if (agents === undefined) {
      agents = new Map()
      contexts.set(contextId, agents)
    }
    let groups = agents.get(userAgent)
    if (groups === undefined) {
      grow(userAgent?.length ?? 0)
      groups = []
      agents.set(userAgent, groups)
    }
    return groups
  }

  return {
    alikeOf(contextId, { source, category, userAgent, accept, acceptLanguage, address }) {
      const longest = Math.max(userAgent?.length ?? 0, accept?.length ?? 0, acceptLanguage?.length ?? 0)
      if (longest > mostLength || (address?.length ?? 0) > mostLength) return null
      const groups = groupsOf(contextId, userAgent)
      for (const group of groups) {
        const isSame = group.accept === accept && group.acceptLanguage === acceptLanguage
        if (isSame && group.source === source && group.category === category) return group.readers
      }
      if (groups.length >= mostGroups) return null
      grow((accept?.length ?? 0) + (acceptLanguage?.length ?? 0))
      const readers: Alike = new Map()
      groups.push({ source, category, accept, acceptLanguage, readers })
      return readers
    },
    remember(alike, address, reader) {
      grow(address.length)
      alike.set(address, reader)
    },
  }
}
