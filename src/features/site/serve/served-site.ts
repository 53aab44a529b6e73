import type { IncomingHttpHeaders } from 'node:http'
import type { Edition } from '../edition/edition.ts'

/** An edition at an address: the live site, a preview of a branch, or a folder that somebody writes in. */
export interface ServedSite {
  projectId: string
  /** The project's name, where docs.json has none. */
  name: string
  edition: Edition
  /** What stands before every route: `/sites/handbook`; empty at a domain of its own. No slash at the end. */
  base: string
  /** `https://docs.example.com`, for addresses that must be whole. */
  origin: string
  kind: 'live' | 'preview' | 'folder'
  /** Where a file can be edited on its host; null where there is no such page. */
  editUrl(path: string): string | null
}

export interface SiteRequest {
  method: string
  /** Inside the site, as the client wrote it, from its first slash: `/guides/setup.md`. */
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** Of POST, read and limited already. */
  body: unknown
}

export interface SiteAnswer {
  status: number
  headers: Record<string, string>
  /** Pieces, where the whole would be too much for the memory. */
  body: Buffer | string | AsyncIterable<string> | null
  /** The page that was shown, when it is one to count: its route. */
  view: string | null
}

/** Inside a site, what Docent itself serves lies here; a page of that name is not reachable. */
export const ownFolder = '/_docent'
