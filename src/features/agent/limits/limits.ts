import { DocentError } from '#base/errors.ts'
import { type Caller, recordAudit } from '#features/accounts/service.ts'
import { getProject, lockProject, projectNotFound } from '#features/projects/service.ts'
import type { Config } from '#infra/config/settings.ts'
import type { Db, Tx } from '#infra/db/schema.ts'
import type { AgentLimits, AgentLimitsChange, LimitName, OwnLimits } from './schema.ts'
import { limitNames } from './schema.ts'
import * as store from './store.ts'

const settingOf = {
  jobsPerHour: 'agentJobsPerHour',
  maxSteps: 'agentMaxSteps',
  maxMinutes: 'agentMaxMinutes',
  maxTokens: 'agentMaxTokens',
  maxFiles: 'agentMaxFiles',
} as const satisfies Record<LimitName, keyof Config>

export type LimitSettings = Pick<Config, (typeof settingOf)[LimitName]>

export interface LimitsDeps {
  db: Db
  config: LimitSettings & Pick<Config, 'baseUrl' | 'model'>
}

/** What holds for a project's jobs: its own limits, as far as the server allows them. */
export async function readLimits(
  { db, config }: { db: Db | Tx; config: LimitSettings },
  projectId: string,
): Promise<Record<LimitName, number>> {
  const limits = describe(config, await store.findOwnLimits(db, projectId))
  return Object.fromEntries(limitNames.map((name) => [name, limits[name].value])) as Record<LimitName, number>
}

/** Throws `not_found`. */
export async function getLimits(
  deps: LimitsDeps,
  { projectId, by }: { projectId: string; by: Caller },
): Promise<AgentLimits> {
  await getProject(deps, { id: projectId, by })
  return describe(deps.config, await store.findOwnLimits(deps.db, projectId))
}

/** Throws `invalid` for more than the server allows: it would be told, and not hold. */
export async function changeLimits(
  deps: LimitsDeps,
  { projectId, change, by }: { projectId: string; change: AgentLimitsChange; by: Caller },
): Promise<AgentLimits> {
  const { config } = deps
  const own = await deps.db.transaction().execute(async (tx) => {
    await getProject({ ...deps, db: tx }, { id: projectId, by })
    refuseTooHigh(config, change)
    if (!(await lockProject(tx, projectId))) throw projectNotFound()
    const merged = { ...(await store.findOwnLimits(tx, projectId)), ...change }
    const given = Object.entries(merged).filter(([, value]) => value !== null && value !== undefined)
    const limits = Object.fromEntries(given) as OwnLimits
    await store.setOwnLimits(tx, projectId, limits)
    await recordAudit(tx, { by, action: 'project.change_limits', target: projectId, details: { limits } })
    return limits
  })
  return describe(config, own)
}

function refuseTooHigh(config: LimitSettings, change: AgentLimitsChange): void {
  const details = limitNames.flatMap((name) => {
    const most = config[settingOf[name]]
    const message = `expected at most ${most}, which is what the server allows`
    return (change[name] ?? 0) > most ? [{ path: name, message }] : []
  })
  if (details.length === 0) return
  const words = details.map(({ path, message }) => `${path}: ${message}`).join('; ')
  throw new DocentError('invalid', 'request.invalid', `${words}.`, { details })
}

function describe(config: LimitSettings, limits: OwnLimits): AgentLimits {
  return Object.fromEntries(
    limitNames.map((name) => {
      const most = config[settingOf[name]]
      const own = limits[name] ?? null
      // The setting may have been lowered since.
      return [name, { value: Math.min(own ?? most, most), own, most }]
    }),
  ) as AgentLimits
}
