import type { Transact, Tx } from '../../database/index.ts'
import { lockOrganization } from '../../identity/index.ts'
import { canGiveApprovals, mostApprovals } from './change-policy.ts'
import { readApproverCounts } from './count-approvers.ts'
import { readChangeRules } from './read-change-policy.ts'
import { tooFewApprovers } from './update-change-policy.ts'

/**
 * A decorator that rejects a change of members that leaves fewer approvers than the rules for changes demand: the
 * organization could no longer change anything. CONFLICT with `details.reason` `too_few_approvers`. Work that keeps or
 * raises their number always passes, and so do the deletion of the organization and what resets a member's sign-in, which
 * is how they come back.
 */
export function requireEnoughApprovers<R>(organizationId: number, transact: Transact<R>): Transact<R> {
  return (work) =>
    transact(async (tx) => {
      await lockOrganization(tx, organizationId)
      const before = await readApproverCounts(tx, organizationId)
      const result = await work(tx)
      const after = await readApproverCounts(tx, organizationId)
      // A new password, or an account that is unlinked, takes no role from anybody.
      if (after.able >= before.able || after.roles >= before.roles) return result
      if (await isDeleted(tx, organizationId)) return result
      const requiredApprovals = mostApprovals(await readChangeRules(tx, organizationId))
      if (!canGiveApprovals(after.able, requiredApprovals)) throw tooFewApprovers(after.able, requiredApprovals)
      return result
    })
}

async function isDeleted(tx: Tx, organizationId: number): Promise<boolean> {
  const { deleted_at } = await tx
    .selectFrom('organizations')
    .select('deleted_at')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return deleted_at !== null
}
