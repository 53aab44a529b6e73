import type { Db, Tx } from '#infra/db/schema.ts'
import type { OwnLimits } from './schema.ts'

export async function findOwnLimits(db: Db | Tx, projectId: string): Promise<OwnLimits> {
  const row = await db.selectFrom('projects').select('agentLimits').where('id', '=', projectId).executeTakeFirst()
  return row?.agentLimits ?? {}
}

export async function setOwnLimits(tx: Tx, projectId: string, limits: OwnLimits): Promise<void> {
  const agentLimits = Object.keys(limits).length === 0 ? null : JSON.stringify(limits)
  await tx.updateTable('projects').set({ agentLimits }).where('id', '=', projectId).execute()
}
