// Also tested elsewhere: over HTTP (surfaces/http/pipeline/guard-changes.test.ts).
import { expect, test } from 'vitest'
import { useChanges } from '../../../testing/changes/use-changes.ts'
import { transactOn } from '../../database/index.ts'
import { removeMember, updateMember } from '../../identity/index.ts'
import { requireEnoughApprovers } from './require-enough-approvers.ts'
import { updateChangePolicy } from './update-change-policy.ts'

const use = useChanges()
const keep = <R>() => requireEnoughApprovers<R>(use.organizationId, transactOn(use.parts.db))
const remove = (memberId: number) => removeMember(use.parts, use.owner, memberId, keep())
const setRole = (memberId: number, role: 'viewer' | 'approver' | 'admin') =>
  updateMember(use.parts, { actor: use.owner, memberId, changes: { role } }, keep())
const TOO_FEW = { code: 'CONFLICT', details: { reason: 'too_few_approvers', approvers: 3, requiredApprovals: 3 } }

test('a member whose approval the rules need is neither removed nor demoted', async () => {
  await use.setRules({ keys: { requiredApprovals: 3, coolingOffSeconds: 0 } })
  await expect(remove(use.ids.grace)).rejects.toMatchObject(TOO_FEW)
  await expect(setRole(use.ids.grace, 'viewer')).rejects.toMatchObject(TOO_FEW)
  await remove(use.ids.viewer)
  await setRole(use.ids.grace, 'admin')
})

test('without a rule, and with approvers to spare, members come and go', async () => {
  await remove(use.ids.linus)
  await use.setRules({ keys: { requiredApprovals: 1, coolingOffSeconds: 0 } })
  await remove(use.ids.grace)
  await expect(remove(use.ids.admin)).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('members can still be promoted when there are too few approvers already', async () => {
  await use.setRules({ keys: { requiredApprovals: 3, coolingOffSeconds: 0 } })
  await use.remove(use.ids.grace)
  await use.remove(use.ids.linus)
  await setRole(use.ids.viewer, 'approver')
})

test('a demotion and a stricter rule at once never leave too few approvers', async () => {
  const outcomes = await Promise.allSettled([
    setRole(use.ids.grace, 'viewer'),
    updateChangePolicy(use.parts, use.owner, { rules: { keys: { requiredApprovals: 3, coolingOffSeconds: 0 } } }),
  ])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('the sign-in of a member whose approval the rules need can be reset: it is how they come back', async () => {
  await use.setRules({ keys: { requiredApprovals: 3, coolingOffSeconds: 0 } })
  const changes = { password: 'another good long password' }
  const parts = { ...use.parts, assignedPasswords: 'one-time' } as const
  await updateMember(parts, { actor: use.owner, memberId: use.ids.grace, changes }, keep())
  await remove(use.ids.viewer)
  // Who cannot sign in is not missed; who can is.
  await remove(use.ids.grace)
  await expect(remove(use.ids.linus)).rejects.toMatchObject({ details: { approvers: 2, requiredApprovals: 3 } })
})
