import type { Database, Tx } from '../database/index.ts'
import { FIRST_POLICY, type PolicyInForce } from './policy.ts'
import { readPolicy } from './read-policy.ts'

/**
 * The policy that judges what is planned now (decisions 7): the newest version that the organization set, or
 * {@link FIRST_POLICY}. To be read in the transaction that plans.
 */
export async function policyInForce(db: Database | Tx, organizationId: number): Promise<PolicyInForce> {
  const newest = await db
    .selectFrom('approval_policies')
    .select('policy')
    .where('organization_id', '=', organizationId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (newest === undefined) return FIRST_POLICY
  const read = readPolicy(newest.policy)
  return 'policy' in read ? read.policy : 'unreadable'
}
