import { type Caller, recordAudit } from '#features/accounts/service.ts'
import { getProject } from '#features/projects/service.ts'
import type { SiteDeps } from '../site-deps.ts'
import { previewName, signName } from './preview-name.ts'
import type { NewPreview, Preview } from './schema.ts'
import { commitNotFound, findCommit, readBranch } from './site-source.ts'

type Deps = Pick<SiteDeps, 'db' | 'clock' | 'secretBox' | 'fetch' | 'config'>

/** Addresses of a branch or commit as a site. Nothing is built yet: the first reader has it built. */
export async function createPreview(
  deps: Deps,
  { projectId, by, ref, commit, expiresInHours }: NewPreview & { projectId: string; by: Caller },
): Promise<Preview> {
  const { slug } = await getProject(deps, { id: projectId, by })
  const name = previewName(ref ?? (await wholeId(deps, projectId, commit!)))
  // Refused here rather than found missing by whoever gets the link.
  if (ref !== undefined) await readBranch(deps, { projectId, branch: ref })
  const expires = Math.floor(deps.clock.now().getTime() / 1000) + expiresInHours * 3600
  const expiresAt = new Date(expires * 1000).toISOString()
  await deps.db.transaction().execute((tx) => {
    const details = { ref, commit, expiresAt }
    return recordAudit(tx, { by, action: 'site.share_preview', target: projectId, details })
  })
  const address = (text: string) =>
    `${deps.config.baseUrl}/previews/${slug}/${encodeURIComponent(text).replaceAll('%40', '@')}/`
  const shareUrl = address(signName(deps.secretBox, { projectId, name, expires }))
  return { url: address(name), shareUrl, expiresAt }
}

async function wholeId(deps: Deps, projectId: string, start: string): Promise<string> {
  const found = await findCommit(deps, { projectId, commit: start })
  if (!found) throw commitNotFound()
  return found.commit
}
