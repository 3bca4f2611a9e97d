import { expect, test } from 'vitest'
import { useChanges } from '../../../testing/use-changes.ts'
import { transactOn } from '../../database/index.ts'
import { requireNoRule } from './require-no-rule.ts'

const use = useChanges()
const change = (work: () => Promise<string>) =>
  requireNoRule<string>({ organizationId: use.organizationId, kind: 'keys' }, transactOn(use.parts.db))(work)

test('work without a rule is done', async () => {
  await use.setRules({})
  expect(await change(async () => 'done')).toBe('done')
})

test('a rule that was set since the request arrived refuses the work before it begins', async () => {
  await use.setRules({ keys: { requiredApprovals: 1, coolingOffSeconds: 0 } })
  let begun = false
  const work = async () => {
    begun = true
    return 'done'
  }
  await expect(change(work)).rejects.toMatchObject({ code: 'CONFLICT', details: { reason: 'change_policy_changed' } })
  expect(begun).toBe(false)
})
