import { DocentError } from '#base/errors.ts'
import { type Caller, recordAudit } from '#features/accounts/service.ts'
import { getProject, lockProject } from '#features/projects/service.ts'
import type { SiteDeps } from '../site-deps.ts'
import { parseDomainName } from './domain-name.ts'
import * as store from './domain-store.ts'
import type { LiveSites } from './live-sites.ts'
import type { Domain } from './schema.ts'
import { domainOrigin } from './served-address.ts'

type Deps = Pick<SiteDeps, 'db' | 'config'> & { liveSites: Pick<LiveSites, 'forget'> }

interface Asked {
  projectId: string
  by: Caller
}

const mostDomains = 50

export async function listDomains(deps: Deps, { projectId, by }: Asked): Promise<{ domains: Domain[] }> {
  await getProject(deps, { id: projectId, by })
  return { domains: (await store.listDomains(deps.db, projectId)).map((row) => toDomain(deps, row)) }
}

/** Throws `conflict` when the name is taken, by whomever: whose it is, is nobody else's business. */
export async function addDomain(deps: Deps, { projectId, by, name: given }: Asked & { name: string }): Promise<Domain> {
  const name = checkedName(deps, given)
  const row = await deps.db.transaction().execute(async (tx) => {
    await getProject({ ...deps, db: tx }, { id: projectId, by })
    await lockProject(tx, projectId)
    if ((await store.listDomains(tx, projectId)).length >= mostDomains) {
      const message = `A project has at most ${mostDomains} domains. Remove one first.`
      throw new DocentError('conflict', 'domain.too_many', message)
    }
    const created = await store.insertDomain(tx, { name, projectId })
    if (!created) {
      const message = `${name} is taken already. Remove it from the project that has it, or choose another.`
      throw new DocentError('conflict', 'domain.taken', message)
    }
    await recordAudit(tx, { by, action: 'site.add_domain', target: projectId, details: { name } })
    return created
  })
  return toDomain(deps, row)
}

/** Throws `not_found`, for a domain of another project too. */
export async function removeDomain(
  deps: Deps,
  { projectId, by, name: given }: Asked & { name: string },
): Promise<void> {
  const name = parseDomainName(given)
  await deps.db.transaction().execute(async (tx) => {
    await getProject({ ...deps, db: tx }, { id: projectId, by })
    if (name === null || !(await store.deleteDomain(tx, { name, projectId }))) {
      throw new DocentError('not_found', 'domain.not_found', 'The project has no such domain.')
    }
    await recordAudit(tx, { by, action: 'site.remove_domain', target: projectId, details: { name } })
  })
  deps.liveSites.forget(projectId)
}

function checkedName({ config }: Pick<Deps, 'config'>, given: string): string {
  const name = parseDomainName(given)
  if (name === null) throw invalid('expected a domain name such as docs.example.com, without a port or path')
  const own = new URL(config.baseUrl).hostname
  if (name === own || name === 'localhost' || name.endsWith('.localhost')) {
    throw invalid(`${name} is this server’s own name; a site has another`)
  }
  return name
}

function toDomain({ config }: Pick<Deps, 'config'>, { name, createdAt }: store.DomainRow): Domain {
  return { name, url: `${domainOrigin(config, name)}/`, createdAt: createdAt.toISOString() }
}

function invalid(message: string): DocentError {
  return new DocentError('invalid', 'request.invalid', `name: ${message}.`, { details: [{ path: 'name', message }] })
}
