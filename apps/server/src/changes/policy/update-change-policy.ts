import { sql } from 'kysely'
import { type Transact, type Tx, transactOn } from '../../database/index.ts'
import { endOpenInvitations, lockOrganization, type UserCredential } from '../../identity/index.ts'
import { Failure, versionConflict } from '../../kernel/index.ts'
import type { ChangeParts } from '../parts.ts'
import { type ChangeRules, canGiveApprovals, completeRules, mostApprovals, ruleFor } from './change-policy.ts'
import { countApprovers } from './count-approvers.ts'
import { type ChangePolicy, getChangePolicy } from './read-change-policy.ts'

export interface ChangePolicyChange {
  /** Kinds that are not named have none. */
  readonly rules: Partial<ChangeRules>
  /** The version that its author changed; absent: whichever is in force. */
  readonly basedOnVersion?: number | undefined
}

/**
 * Replaces the rules for changes. Requests that are open keep the rule that they were made under. The first rule for
 * members ends open invitations: nobody approved these, and each makes a member later. CONFLICT with
 * `details.reason` `too_few_approvers` when more approvals are demanded than members could give to a request of one of
 * them, and `changed_meanwhile` when a different version than the author's is in force.
 */
export async function updateChangePolicy(
  parts: Pick<ChangeParts, 'db' | 'clock'>,
  actor: Pick<UserCredential, 'organizationId' | 'userId'>,
  { rules: named, basedOnVersion }: ChangePolicyChange,
  transact: Transact<ChangePolicy> = transactOn(parts.db),
): Promise<ChangePolicy> {
  const rules = completeRules(named)
  const { organizationId } = actor
  return await transact(async (tx) => {
    await lockOrganization(tx, organizationId)
    const { version, rules: before } = await getChangePolicy(tx, organizationId)
    if (basedOnVersion !== undefined && basedOnVersion !== version) throw versionConflict({ version })
    const approvers = await countApprovers(tx, organizationId)
    const requiredApprovals = mostApprovals(rules)
    if (!canGiveApprovals(approvers, requiredApprovals)) throw tooFewApprovers(approvers, requiredApprovals)
    const at = parts.clock.now()
    await storeRules(tx, { organizationId, rules, changedBy: actor.userId, at })
    if (ruleFor(before, 'members') === undefined && ruleFor(rules, 'members') !== undefined)
      await endOpenInvitations(tx, at, organizationId)
    return await getChangePolicy(tx, organizationId)
  })
}

export interface StoredRules {
  readonly organizationId: number
  readonly rules: ChangeRules
  /** `null`: the operator of the host. */
  readonly changedBy: number | null
  readonly at: Date
}

/** Stores the next version. */
export async function storeRules(tx: Tx, { organizationId, rules, changedBy, at }: StoredRules): Promise<void> {
  await sql`
    insert into change_policies as policy (organization_id, version, rules, changed_by, changed_at)
    values (${organizationId}, 1, ${JSON.stringify(rules)}, ${changedBy}, ${at})
    on conflict (organization_id) do update set version = policy.version + 1, rules = excluded.rules,
      changed_by = excluded.changed_by, changed_at = excluded.changed_at
  `.execute(tx)
}

/** CONFLICT: fewer members could approve than approvals are demanded. */
export function tooFewApprovers(approvers: number, requiredApprovals: number): Failure {
  return new Failure('CONFLICT', {
    message: `A change would need ${requiredApprovals} approvals besides its requester, but only ${approvers} members may approve and can sign in.`,
    details: { reason: 'too_few_approvers', approvers, requiredApprovals },
  })
}
