import { newId } from '#base/ids.ts'
import { createSetupLink } from '#features/accounts/members/setup.ts'
import {
  createKey,
  createOrganization,
  ensurePresetKey,
  listOrganizations,
  revokeKey,
  systemCaller,
} from '#features/accounts/service.ts'
import { createProject, findProject, setDemo } from '#features/projects/service.ts'
import { publish } from '#features/site/jobs.ts'
import { findFact, oneNodeAtATime, setFact } from '#infra/db/facts.ts'
import type { Services } from './compose.ts'
import { manualFiles } from './manual.ts'

/** What this start made; null for what an earlier one made, or nobody wanted. */
export interface FirstRun {
  adminKey: string | null
  demoProjectId: string | null
  /** Makes the first owner. Each start has a new one, until there is an owner. */
  setupLink: string | null
}

// The key's fact is its id until a person has seen the key, then `shown`; the demo's is its id until it stands.
const keyFact = 'first-run.key'
const demoFact = 'first-run.demo'

/**
 * Makes the first organization, key and demo project. Each step leaves a fact behind, so that a start that was killed
 * half-way is finished by the next, and nothing comes back that somebody deleted.
 */
export async function ensureFirstRun(services: Services): Promise<FirstRun> {
  return await oneNodeAtATime(services.database, async () => {
    const [first] = await listOrganizations(services)
    const { id: organizationId } = first ?? (await createOrganization(services, { name: 'Default' }))
    return {
      adminKey: await ensureFirstKey(services, organizationId),
      demoProjectId: await ensureDemo(services, organizationId),
      setupLink: (await createSetupLink(services))?.url ?? null,
    }
  })
}

/** Called when a person has been shown the key; until then every start makes a new one. */
export async function markKeyShown({ db }: Pick<Services, 'db'>): Promise<void> {
  await setFact(db, keyFact, 'shown')
}

async function ensureFirstKey(services: Services, organizationId: string): Promise<string | null> {
  const { config, db, database, log } = services
  if (config.adminKey) {
    const { revoked } = await ensurePresetKey(services, { key: config.adminKey, organizationId })
    if (revoked) log.warn('accounts.preset_key_revoked')
    await setFact(db, keyFact, 'shown')
    return null
  }
  const by = systemCaller(organizationId)
  const earlier = await findFact(db, keyFact)
  if (earlier !== null) {
    // With several nodes, the one that made the key is still about to show it.
    if (earlier === 'shown' || database.supports.severalProcesses) return null
    await revokeKey(services, { id: earlier, by }).catch(() => {})
  }
  const { id, key } = await createKey(services, {
    name: 'first admin key',
    scopes: ['read', 'write'],
    allowedAddresses: [],
    expiresAt: null,
    by,
  })
  await setFact(db, keyFact, id)
  return key
}

async function ensureDemo(services: Services, organizationId: string): Promise<string | null> {
  const { config, db } = services
  const earlier = await findFact(db, demoFact)
  if (earlier === 'done') return null
  const by = systemCaller(organizationId)
  const id = earlier ?? newId('prj')
  if (config.demo) {
    await setFact(db, demoFact, id)
    await setDemo(db, id)
    if (!(await findProject(services, { id, by }))) {
      await createProject(services, { id, name: 'Demo', by, files: await manualFiles() })
      // So that its first reader, who is looking at Docent for the first time, does not wait for it.
      await services.queue.send(publish, { projectId: id, reason: 'first', deploymentId: null })
    }
  }
  await setFact(db, demoFact, 'done')
  return config.demo ? id : null
}
