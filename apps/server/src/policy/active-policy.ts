import { type Database, preparedQuery, type Tx } from '../database/index.ts'
import { parseStoredPolicy } from './parse-policy.ts'
import { type ActivePolicy, DEFAULT_POLICY } from './policy.ts'

const newestPolicy = preparedQuery('newest policy', (db, place: (name: 'organizationId') => never) =>
  db
    .selectFrom('approval_policies')
    .select('policy')
    .where('organization_id', '=', place('organizationId'))
    .orderBy('version', 'desc')
    .limit(1),
)

/**
 * The policy that decides new plans (contract 7): the newest version that the organization set, or
 * {@link DEFAULT_POLICY}. Read it in the transaction that plans.
 */
export async function getActivePolicy(db: Database | Tx, organizationId: number): Promise<ActivePolicy> {
  const [newest] = await newestPolicy(db, { organizationId })
  if (newest === undefined) return DEFAULT_POLICY
  const parsed = parseStoredPolicy(newest.policy)
  return 'policy' in parsed ? parsed.policy : 'unreadable'
}
