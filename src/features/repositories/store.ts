import type { Db, Tx } from '#infra/db/schema.ts'

/** Returns whether there is such a project in the organization. */
export async function setPushSecret(
  tx: Tx,
  {
    projectId,
    organizationId,
    sealedPushSecret,
  }: { projectId: string; organizationId: string; sealedPushSecret: string },
): Promise<boolean> {
  const changed = await tx
    .updateTable('projects')
    .set({ sealedPushSecret })
    .where('id', '=', projectId)
    .where('organizationId', '=', organizationId)
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

/** What a host's webhooks are checked with, and the repository that they must be about. */
export async function findPushSecret(
  db: Db,
  projectId: string,
): Promise<{ sealedPushSecret: string | null; repository: string | null } | undefined> {
  return await db
    .selectFrom('projects')
    .select(['sealedPushSecret', 'repository'])
    .where('id', '=', projectId)
    .executeTakeFirst()
}
