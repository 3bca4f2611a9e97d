import type { Transact } from '../../database/index.ts'
import { lockOrganization } from '../../identity/index.ts'
import { Failure } from '../../kernel/index.ts'
import { type ChangeKind, ruleFor } from './change-policy.ts'
import { readChangeRules } from './read-change-policy.ts'

/**
 * A decorator: the work is a change that needed no approval when its request arrived. CONFLICT with `details.reason`
 * `change_policy_changed` if a rule was set meanwhile.
 */
export function requireNoRule<R>(
  { organizationId, kind }: { readonly organizationId: number; readonly kind: ChangeKind },
  transact: Transact<R>,
): Transact<R> {
  return (work) =>
    transact(async (tx) => {
      // One replaces the rules, and must not overwrite those set meanwhile; the other may invite a member after the first
      // rule for members has ended the invitations.
      if (kind === 'change_policy' || kind === 'members') await lockOrganization(tx, organizationId)
      if (ruleFor(await readChangeRules(tx, organizationId), kind) === undefined) return await work(tx)
      throw new Failure('CONFLICT', {
        message: 'This change needs approval now. Repeat the request to ask for it.',
        details: { reason: 'change_policy_changed' },
      })
    })
}
