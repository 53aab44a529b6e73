import type { BuiltinHost } from '#backends/hosts/builtin/builtin-host.ts'
import type { Clock } from '#base/clock.ts'
import { DocentError } from '#base/errors.ts'
import { isId, newId } from '#base/ids.ts'
import { type Caller, recordAudit, slugCandidates, slugify } from '#features/accounts/service.ts'
import type { Config } from '#infra/config/settings.ts'
import type { SecretBox } from '#infra/data/secret-box.ts'
import type { Db } from '#infra/db/schema.ts'
import type { TreeFile } from '#infra/git/repository.ts'
import { type Page, toPage } from '#infra/http/schema.ts'
import type { Queue } from '#infra/queue/queue.ts'
import { removeRepository, sourceChanged } from './jobs.ts'
import { parseRepositoryUrl } from './repository-url.ts'
import type { NewProject, Project, ProjectChange, Provider } from './schema.ts'
import { starterFiles } from './starter.ts'
import * as store from './store.ts'

export type { Project, Provider } from './schema.ts'
export { lockProject, setDemo } from './store.ts'

export interface ProjectsDeps {
  db: Db
  clock: Clock
  queue: Queue
  config: Pick<Config, 'baseUrl' | 'model'>
  secretBox: SecretBox
  builtinHost: BuiltinHost
}

/** The branch that the built-in host starts a repository with. */
const firstBranch = 'main'

/**
 * `id` is for callers that must know it beforehand; it must be new. `files` are what a repository of the built-in host
 * begins with, instead of the starter template.
 */
export async function createProject(
  deps: ProjectsDeps,
  input: NewProject & { by: Caller; id?: string; files?: TreeFile[] },
): Promise<Project> {
  const { name, by, id = newId('prj') } = input
  const source = newSource(deps, input, id)
  // The repository first: a kill in between leaves a folder that is swept away, not a project without a repository.
  if (source.provider === 'builtin') {
    await deps.builtinHost.ensureRepository(id, {
      branch: source.ref ?? firstBranch,
      files: input.files ?? (await starterFiles({ name, docsPath: source.docsPath })),
      message: 'Start the documentation\n',
      author: { name: 'Docent', email: 'docent@localhost' },
      date: deps.clock.now(),
    })
  }
  const candidates = slugCandidates(slugify(name, 'project'))
  // Two that race for one slug meet at the unique index, and the later one goes on to the next.
  while (true) {
    const row = await deps.db.transaction().execute(async (tx) => {
      const created = await store.insertProject(tx, {
        id,
        organizationId: by.organizationId,
        name,
        slug: candidates.next().value,
        model: input.model ?? null,
        openPaths: input.openPaths ?? [],
        ...source,
      })
      const details = { name, provider: source.provider }
      if (created) await recordAudit(tx, { by, action: 'project.create', target: id, details })
      return created
    })
    if (row) return toProject(deps, row)
  }
}

export async function listProjects(
  deps: Pick<ProjectsDeps, 'db' | 'config'>,
  { by, page }: { by: Caller; page: Page },
): Promise<{ projects: Project[]; hasMore: boolean }> {
  const { rows, hasMore } = toPage(await store.listProjects(deps.db, { organizationId: by.organizationId, page }), page)
  return { projects: rows.map((row) => toProject(deps, row)), hasMore }
}

/** Throws `not_found` for an unknown project and, in the same words, for one of another organization. */
export async function getProject(
  deps: Pick<ProjectsDeps, 'db' | 'config'>,
  { id, by }: { id: string; by: Caller },
): Promise<Project> {
  const project = await findProject(deps, { id, by })
  if (!project) throw projectNotFound()
  return project
}

export async function findProject(
  deps: Pick<ProjectsDeps, 'db' | 'config'>,
  { id, by }: { id: string; by: Caller },
): Promise<Project | null> {
  const row = isId('prj', id) ? await store.findProject(deps.db, { id, organizationId: by.organizationId }) : undefined
  return row ? toProject(deps, row) : null
}

/** A project's source with everything that it takes to reach it. Not for answers: it has the token. */
export interface SourceAccess {
  projectId: string
  organizationId: string
  /** The project's name and its slug. */
  name: string
  slug: string
  provider: Provider
  repository: string
  ref: string | null
  docsPath: string
  apiUrl: string | null
  token: string | null
  openPaths: string[]
}

/** For work in the background, and for routes that then compare the organization themselves. */
export async function findSource(
  deps: Pick<ProjectsDeps, 'db' | 'config' | 'secretBox'>,
  by: { id: string } | { slug: string },
): Promise<SourceAccess | null> {
  if ('id' in by ? !isId('prj', by.id) : !/^[a-z0-9-]{1,80}$/.test(by.slug)) return null
  const row = await store.findProjectAnywhere(deps.db, by)
  if (!row) return null
  const { id, name, organizationId, slug, sealedToken, openPaths } = row
  const token = sealedToken === null ? null : deps.secretBox.open(sealedToken, tokenContext(id))
  const { hasToken: _, ...source } = toProject(deps, row).source
  return { projectId: id, organizationId, name, slug, ...source, token, openPaths }
}

/** Throws `not_found`. */
export async function getSource(
  deps: Pick<ProjectsDeps, 'db' | 'config' | 'secretBox'>,
  id: string,
): Promise<SourceAccess> {
  const source = await findSource(deps, { id })
  if (!source) throw projectNotFound()
  return source
}

export async function changeProject(
  deps: Pick<ProjectsDeps, 'db' | 'config' | 'secretBox' | 'clock' | 'queue'>,
  { id, change, by }: { id: string; change: ProjectChange; by: Caller },
): Promise<Project> {
  if (!isId('prj', id)) throw projectNotFound()
  const row = await deps.db.transaction().execute(async (tx) => {
    const current = await store.findProject(tx, { id, organizationId: by.organizationId })
    if (!current) throw projectNotFound()
    const changed = await store.updateProject(tx, id, {
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.model === undefined ? {} : { model: change.model }),
      ...(change.openPaths === undefined ? {} : { openPaths: change.openPaths }),
      ...changedSource(deps, current, change.source),
      updatedAt: deps.clock.now(),
    })
    // Deleted by somebody else since we looked.
    if (!changed) throw projectNotFound()
    const fields = [...Object.keys(change), ...Object.keys(change.source ?? {}).map((field) => `source.${field}`)]
    const details = { changed: fields.filter((field) => field !== 'source') }
    await recordAudit(tx, { by, action: 'project.change', target: id, details })
    const isElsewhere = (['repository', 'ref', 'docsPath'] as const).some((field) => changed[field] !== current[field])
    if (isElsewhere) await deps.queue.send(sourceChanged, { projectId: id }, { tx })
    return changed
  })
  return toProject(deps, row)
}

/** Deletes the project at once; what we keep of its repository follows in the background. */
export async function deleteProject(
  { db, queue }: Pick<ProjectsDeps, 'db' | 'queue'>,
  { id, by }: { id: string; by: Caller },
): Promise<void> {
  if (!isId('prj', id)) throw projectNotFound()
  await db.transaction().execute(async (tx) => {
    const row = await store.deleteProject(tx, { id, organizationId: by.organizationId })
    if (!row) throw projectNotFound()
    await recordAudit(tx, { by, action: 'project.delete', target: id, details: { name: row.name } })
    await queue.send(removeRepository, { projectId: id }, { tx })
  })
}

/** Deletes repositories whose project does not exist: leftovers of a kill between two steps of creating one. */
export async function sweepRepositories({
  db,
  builtinHost,
}: Pick<ProjectsDeps, 'db' | 'builtinHost'>): Promise<number> {
  const found = (await builtinHost.listRepositories({ untouchedForMs: 3_600_000 })).filter((id) => isId('prj', id))
  const kept = new Set(await store.listExisting(db, found))
  const orphans = found.filter((id) => !kept.has(id))
  for (const id of orphans) await builtinHost.deleteRepository(id)
  return orphans.length
}

function newSource({ secretBox }: Pick<ProjectsDeps, 'secretBox'>, { source }: NewProject, projectId: string) {
  const { provider = 'builtin' as Provider, repository, ref, docsPath = '', apiUrl, token } = source ?? {}
  if (provider === 'builtin') {
    for (const [field, value] of Object.entries({ repository, apiUrl, token })) {
      if (value !== undefined) throw notForBuiltin(field)
    }
    return { provider, repository: null, ref: ref ?? firstBranch, docsPath, apiUrl: null, sealedToken: null }
  }
  if (repository === undefined) {
    throw invalid('source.repository', `expected the repository of the ${provider} project`)
  }
  return {
    provider,
    repository: parseRepositoryUrl({ provider, repository, apiUrl: apiUrl ?? null }),
    ref: ref ?? null,
    docsPath,
    apiUrl: apiUrl ?? null,
    sealedToken: token === undefined ? null : secretBox.seal(token, tokenContext(projectId)),
  }
}

function changedSource(
  { secretBox }: Pick<ProjectsDeps, 'secretBox'>,
  current: store.ProjectRow,
  change: ProjectChange['source'] = {},
) {
  const provider = current.provider as Provider
  const { repository, ref, docsPath, apiUrl = current.apiUrl, token } = change
  if (provider === 'builtin') {
    for (const field of ['repository', 'apiUrl', 'token'] as const) {
      if (change[field] != null) throw notForBuiltin(field)
    }
  }
  const url = repository === undefined ? current.repository : parseRepositoryUrl({ provider, repository, apiUrl })
  // A token belongs to the host it was given for. Sent along to another, it would be told to whoever changed the address.
  const isElsewhere = originOf(url) !== originOf(current.repository) || originOf(apiUrl) !== originOf(current.apiUrl)
  return {
    repository: url,
    ...(ref === undefined ? {} : { ref: ref ?? (provider === 'builtin' ? firstBranch : null) }),
    ...(docsPath === undefined ? {} : { docsPath }),
    ...(change.apiUrl === undefined ? {} : { apiUrl }),
    ...(token ? { sealedToken: secretBox.seal(token, tokenContext(current.id)) } : {}),
    ...(token === null || (token === undefined && isElsewhere) ? { sealedToken: null } : {}),
  }
}

function originOf(url: string | null): string | null {
  return url === null ? null : new URL(url).origin
}

function tokenContext(projectId: string): string {
  return `projects.token ${projectId}`
}

function toProject({ config }: Pick<ProjectsDeps, 'config'>, row: store.ProjectRow): Project {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    source: {
      provider: row.provider as Provider,
      repository: row.repository ?? `${config.baseUrl}/git/${row.slug}.git`,
      ref: row.ref,
      docsPath: row.docsPath,
      apiUrl: row.apiUrl,
      hasToken: row.sealedToken !== null,
    },
    model: row.model ?? config.model,
    hasOwnModel: row.model !== null,
    hasPushHook: row.sealedPushSecret !== null,
    openPaths: row.openPaths,
    siteUrl: `${config.baseUrl}/sites/${row.slug}/`,
    isDemo: row.isDemo,
    createdAt: row.createdAt.toISOString(),
  }
}

/** Also for a project of another organization: whether there is one is nobody else's business. */
export function projectNotFound(): DocentError {
  return new DocentError('not_found', 'project.not_found', 'There is no such project.')
}

function notForBuiltin(field: string): DocentError {
  return invalid(`source.${field}`, 'not for the builtin provider, which makes its own repository')
}

function invalid(path: string, message: string): DocentError {
  return new DocentError('invalid', 'request.invalid', `${path}: ${message}.`, { details: [{ path, message }] })
}
