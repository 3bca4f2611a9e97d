// Also tested elsewhere: what becomes of invitations (ended-invitations.test.ts), over HTTP
// (surfaces/http/pipeline/guard-changes.test.ts).
import { expect, test } from 'vitest'
import { useChanges } from '../../../testing/changes/use-changes.ts'
import { NO_RULE } from './change-policy.ts'
import { getChangePolicy } from './read-change-policy.ts'

const use = useChanges()
const rule = (requiredApprovals: number, coolingOffSeconds = 0) => ({ requiredApprovals, coolingOffSeconds })

test('no change needs approval before a policy is set', async () => {
  const { version, rules, changedBy } = await getChangePolicy(use.parts.db, use.organizationId)
  expect({ version, changedBy }).toEqual({ version: 0, changedBy: null })
  expect(Object.values(rules)).toEqual(Object.values(rules).map(() => NO_RULE))
})

test('a policy replaces all rules, with a new version, its author and its time', async () => {
  await use.setRules({ members: rule(2, 60), keys: rule(1) })
  await use.setRules({ keys: rule(3) })
  expect(await getChangePolicy(use.parts.db, use.organizationId)).toMatchObject({
    version: 2,
    rules: { keys: rule(3), members: NO_RULE, webhooks: NO_RULE },
    changedBy: { id: use.owner.userId },
    changedAt: use.parts.clock.now(),
  })
})

test('more approvals than the members besides a requester could give are refused', async () => {
  const refusal = {
    code: 'CONFLICT',
    details: { reason: 'too_few_approvers', approvers: 4, requiredApprovals: 4 },
  }
  await expect(use.setRules({ webhooks: rule(4) })).rejects.toMatchObject(refusal)
  expect(await getChangePolicy(use.parts.db, use.organizationId)).toMatchObject({ version: 0 })
  await use.setRules({ webhooks: rule(3) })
})

test('a lone owner can set a cooling-off period, which needs nobody else', async () => {
  for (const id of Object.values(use.ids)) await use.remove(id)
  await use.setRules({ members: rule(0, 60) })
  await expect(use.setRules({ members: rule(1) })).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('fields that a request adds to a rule are neither stored nor in the audit log', async () => {
  await use.setRules({ keys: { ...rule(1), ...{ more: 'x'.repeat(1_000) } } })
  const { rules } = await use.parts.db
    .selectFrom('change_policies')
    .select('rules')
    .where('organization_id', '=', use.organizationId)
    .executeTakeFirstOrThrow()
  expect(rules).toMatchObject({ keys: rule(1) })
  expect(JSON.stringify(rules)).not.toContain('more')
})
