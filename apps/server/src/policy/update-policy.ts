import { type Transact, type Tx, transactOn } from '../database/index.ts'
import type { UserCredential } from '../identity/index.ts'
import { type Clock, Failure, versionConflict } from '../kernel/index.ts'
import { schedulePausedEvaluations } from '../wallets/index.ts'
import { parsePolicy } from './parse-policy.ts'
import type { PolicyParts, PolicyVersion } from './policy-versions.ts'

export interface PolicyChange {
  readonly policy: unknown
  /** The version that its author changed; absent: whichever is in force. */
  readonly basedOnVersion?: number | undefined
}

/**
 * Activates a policy: it decides plans from now on; operations that already wait keep waiting (contract 7). Nothing is
 * overwritten; the previous version stays in the history. Wallets with rejected moves are evaluated again at once,
 * because the policy may have been the reason (contract 10). VALIDATION_ERROR names every invalid path:
 * `rules[0].when.outsideHours.timezone`. CONFLICT with `details.reason` `changed_meanwhile` when a different version than the
 * author's is in force.
 */
export async function updatePolicy(
  parts: PolicyParts & { readonly clock: Clock },
  actor: UserCredential,
  { policy: input, basedOnVersion }: PolicyChange,
  transact: Transact<PolicyVersion> = transactOn(parts.db),
): Promise<PolicyVersion> {
  const parsed = parsePolicy(input)
  if ('problems' in parsed) throw invalidPolicy(parsed.problems)
  const { policy } = parsed
  const { organizationId, userId } = actor
  return await transact(async (tx) => {
    const inForce = await lockVersion(tx, organizationId)
    if (basedOnVersion !== undefined && basedOnVersion !== inForce) throw versionConflict({ version: inForce })
    const version = inForce + 1
    const changedAt = parts.clock.now()
    await tx
      .insertInto('approval_policies')
      .values({
        organization_id: organizationId,
        version,
        policy: JSON.stringify(policy),
        changed_by: userId,
        created_at: changedAt,
      })
      .execute()
    await schedulePausedEvaluations(tx, organizationId, changedAt)
    const user = await tx
      .selectFrom('users')
      .select(['id', 'email', 'name'])
      .where('organization_id', '=', organizationId)
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    const record: PolicyVersion = { version, policy, isReadable: true, changedBy: user, changedAt }
    return record
  })
}

/** The newest version's number, 0 before the first; serializes changes of one organization. */
async function lockVersion(tx: Tx, organizationId: number): Promise<number> {
  await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute()
  const newest = await tx
    .selectFrom('approval_policies')
    .select('version')
    .where('organization_id', '=', organizationId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.version ?? 0
}

/** VALIDATION_ERROR with every path. */
export function invalidPolicy(issues: readonly { path: string; message: string }[]): Failure {
  const [first] = issues
  return new Failure('VALIDATION_ERROR', {
    message: `${first?.path}: ${first?.message}`,
    details: { issues: issues.slice(0, 50) },
  })
}
