import { addEdition, keepOutline, keepRender, keepTimes, prune, touchEdition } from './edition-writes.ts'
import { addPages } from './page-writes.ts'

/** Everything that is ever written into a site's file, by name: the thread that does it is told by these. */
export const siteWrites = { addPages, addEdition, touchEdition, keepTimes, keepRender, keepOutline, prune }

export type SiteWrites = typeof siteWrites
export type WriteName = keyof SiteWrites
export type WriteInput<Name extends WriteName> = Parameters<SiteWrites[Name]>[1]
export type WriteResult<Name extends WriteName> = ReturnType<SiteWrites[Name]>
