import { join } from 'node:path'
import type { BuiltinHost } from '#backends/hosts/builtin/builtin-host.ts'
import { gitDirOf } from '#backends/hosts/builtin/code-host.ts'
import type { CodeHost } from '#backends/hosts/code-host.ts'
import { type HostsDeps, hosts } from '#backends/hosts/hosts.ts'
import type { Clock } from '#base/clock.ts'
import { DocentError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import type { Caller } from '#features/accounts/service.ts'
import { findSource, getSource, type Provider, type SourceAccess } from '#features/projects/service.ts'
import type { Config } from '#infra/config/settings.ts'
import { dataPaths } from '#infra/data/folder.ts'
import type { SecretBox } from '#infra/data/secret-box.ts'
import type { Db } from '#infra/db/schema.ts'
import { deleteMirror } from '#infra/git/mirror.ts'
import type { Queue } from '#infra/queue/queue.ts'

/** What it takes to open a project's source. */
export interface SourceDeps {
  db: Db
  clock: Clock
  secretBox: SecretBox
  /** The only way out to code hosts. */
  fetch: typeof globalThis.fetch
  config: Pick<Config, 'data' | 'repositories' | 'baseUrl' | 'model' | 'githubAppId' | 'githubAppKey'>
}

export interface RepositoriesDeps extends SourceDeps {
  queue: Queue
  log: Log
}

/** Where a project's files come from, opened: what a job reads, pushes to and opens pull requests on. */
export interface ProjectSource {
  provider: Provider
  /** Full URL. */
  repository: string
  /** Branch; null: the repository's default branch. */
  ref: string | null
  docsPath: string
  /** Paths that agents may change although they are closed to them elsewhere. */
  openPaths: string[]
  host: CodeHost
  /** Folder for a mirror of the repository, where it is not on this machine. */
  mirrorDir: string
}

/** Throws `not_found` `project.not_found`. */
export async function openSource(deps: SourceDeps, projectId: string): Promise<ProjectSource> {
  const { provider, repository, ref, docsPath, openPaths, apiUrl, token } = await getSource(deps, projectId)
  const host = hosts[provider]({ projectId, repository, apiUrl, token }, hostDeps(deps))
  return { provider, repository, ref, docsPath, openPaths, host, mirrorDir: mirrorDirOf(deps.config, projectId) }
}

/** Deletes what this machine keeps of a project's repository. Can be repeated. */
export async function deleteStoredRepository(
  { config, builtinHost }: { config: Pick<Config, 'data'>; builtinHost: BuiltinHost },
  projectId: string,
): Promise<void> {
  await builtinHost.deleteRepository(projectId)
  await deleteMirror(mirrorDirOf(config, projectId))
}

/** A project's repository on the built-in host. */
export interface BuiltinRepository extends SourceAccess {
  gitDir: string
}

/**
 * The repository of that slug. Throws `not_found`, in the same words for one that is unknown, on another host, or of
 * another organization. Nobody as `by` is a reader on this machine, who may read all.
 */
export async function getBuiltinRepository(
  deps: Pick<SourceDeps, 'db' | 'config' | 'secretBox'>,
  { slug, by }: { slug: string; by: Caller | null },
): Promise<BuiltinRepository> {
  const source = await findSource(deps, { slug })
  if (source?.provider !== 'builtin' || (by !== null && by.organizationId !== source.organizationId)) {
    throw new DocentError('not_found', 'repository.not_found', 'There is no such repository.')
  }
  const gitFolder = deps.config.repositories
  return { ...source, gitDir: gitDirOf({ gitFolder, projectId: source.projectId }) }
}

function mirrorDirOf({ data }: Pick<Config, 'data'>, projectId: string): string {
  return join(dataPaths(data).mirrors, `${projectId}.git`)
}

function hostDeps({ db, clock, config, fetch }: SourceDeps): HostsDeps {
  const { githubAppId: appId, githubAppKey: privateKey } = config
  const githubApp = appId && privateKey ? { appId, privateKey } : null
  return { db, clock, fetch, githubApp, gitFolder: config.repositories }
}
