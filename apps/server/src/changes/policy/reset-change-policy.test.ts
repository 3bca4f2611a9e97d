// Also tested elsewhere: the command that calls it (main/commands/owner-recover-command.test.ts).
import { expect, test } from 'vitest'
import { useChanges } from '../../../testing/changes/use-changes.ts'
import { inTransaction } from '../../database/index.ts'
import { getChangePolicy } from './read-change-policy.ts'
import { resetChangePolicy } from './reset-change-policy.ts'

const use = useChanges()
const rule = { requiredApprovals: 2, coolingOffSeconds: 60 }

test('a reset lifts every rule, as a new version that names no author', async () => {
  await use.setRules({ members: rule, keys: rule })
  const before = await getChangePolicy(use.parts.db, use.organizationId)
  const at = use.parts.clock.now()
  await inTransaction(use.parts.db, (tx) => resetChangePolicy(tx, use.organizationId, at))
  const { version, rules, changedBy, changedAt } = await getChangePolicy(use.parts.db, use.organizationId)
  expect({ version, changedBy, changedAt }).toEqual({ version: before.version + 1, changedBy: null, changedAt: at })
  expect(Object.values(rules).every(({ requiredApprovals }) => requiredApprovals === 0)).toBe(true)
  expect(Object.values(rules).every(({ coolingOffSeconds }) => coolingOffSeconds === 0)).toBe(true)
})

test('the audit log records a reset by the system, in the transaction of the reset', async () => {
  const entries = () =>
    use.parts.db
      .selectFrom('audit_log')
      .select(['action', 'actor_type', 'object_type'])
      .where('organization_id', '=', use.organizationId)
      .where('action', '=', 'resetChangePolicy')
      .execute()
  await use.setRules({ members: rule })
  const failing = inTransaction(use.parts.db, async (tx) => {
    await resetChangePolicy(tx, use.organizationId, use.parts.clock.now())
    throw new Error('the command failed')
  })
  await expect(failing).rejects.toThrow('the command failed')
  expect(await entries()).toEqual([])
  expect((await getChangePolicy(use.parts.db, use.organizationId)).rules.members).toEqual(rule)
  await inTransaction(use.parts.db, (tx) => resetChangePolicy(tx, use.organizationId, use.parts.clock.now()))
  expect(await entries()).toEqual([{ action: 'resetChangePolicy', actor_type: 'system', object_type: 'change_policy' }])
})
