import type { EditionPage } from '../edition/edition.ts'
import { finishHtml, finishMarkdown } from './finish-page.ts'
import type { Finished } from './finished.ts'
import { prefersMarkdown } from './negotiate.ts'
import type { ServeDeps } from './serve-deps.ts'
import type { ServedSite } from './served-site.ts'

/** For people; for agents, at an address of its own; for agents that asked for it at the address of the HTML. */
export type PageForm = 'html' | 'markdown' | 'negotiated'

export interface WantedPage {
  page: EditionPage
  form: PageForm
}

export function formFor(accept: string | undefined): PageForm {
  return prefersMarkdown(accept) ? 'negotiated' : 'html'
}

/** Whatever changes what a page looks like is in it. */
export function keyOf({ edition, origin, base, name }: ServedSite, { page, form }: WantedPage): string {
  return `${form} ${edition.projectId} ${edition.id} ${origin}${base}${page.route} ${name}`
}

/** The page if it is finished; null where it must be made, perhaps anew. */
export function findFinished(
  { shelf }: Pick<ServeDeps, 'shelf'>,
  { edition }: ServedSite,
  { page, key }: { page: EditionPage; key: string },
): Finished | null {
  const known = shelf.find(key)
  return known?.isProvisional && edition.updatedAt(page) !== null ? null : known
}

export async function ensureFinished(
  deps: Pick<ServeDeps, 'shelf' | 'renderer'>,
  site: ServedSite,
  { page, form, key }: WantedPage & { key: string },
): Promise<Finished> {
  const known = findFinished(deps, site, { page, key })
  if (known) return known
  return await deps.shelf.make(key, () =>
    form === 'html'
      ? finishHtml(deps, site, page)
      : finishMarkdown(site, page, { isNegotiated: form === 'negotiated' }),
  )
}
