import type { Tx } from '../../database/index.ts'
import { appendAuditEntry, SYSTEM_ACTOR } from '../../identity/index.ts'
import { NO_RULES } from './change-policy.ts'
import { storeRules } from './update-change-policy.ts'

/**
 * Lifts every rule for changes, for the operator of the host: the last way out when the members who could approve are
 * gone. The audit log records it.
 */
export async function resetChangePolicy(tx: Tx, organizationId: number, at: Date): Promise<void> {
  await storeRules(tx, { organizationId, rules: NO_RULES, changedBy: null, at })
  await appendAuditEntry(tx, {
    organizationId,
    actor: SYSTEM_ACTOR,
    action: 'resetChangePolicy',
    objectType: 'change_policy',
    objectId: null,
    from: null,
    at,
  })
}
