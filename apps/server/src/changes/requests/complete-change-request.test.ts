// Also tested elsewhere: sequences of all steps (random-change-sequences.test.ts), over HTTP
// (surfaces/http/pipeline/guard-changes.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { HOUR_SECONDS, renameUnder, requestedBy, useChanges } from '../../../testing/changes/use-changes.ts'
import { transactOn } from '../../database/index.ts'
import { CHANGE_COMPLETION_TIMEOUT_MS } from '../../kernel/index.ts'
import { type ChangeClaim, checkChangeClaim, completeChangeRequest } from './complete-change-request.ts'
import { type ChangeRequestView, getChangeRequest } from './read-change-requests.ts'
import { rejectChangeRequest } from './reject-change-request.ts'

const use = useChanges()
let request: ChangeRequestView
beforeEach(async () => {
  request = await use.request()
})

const complete = (claim: ChangeClaim) => renameUnder(use.parts, claim, completeChangeRequest)
const stateOf = async ({ id }: { readonly id: number }) =>
  (await getChangeRequest(use.parts, { organizationId: use.organizationId, changeRequestId: id })).state
async function isRenamed(): Promise<boolean> {
  const { db } = use.parts
  const row = await db.selectFrom('organizations').select('name').where('id', '=', use.organizationId).execute()
  return row[0]?.name === 'Changed'
}
/** Both the check before the work and the one in its transaction refuse, and nothing changes. */
async function expectRefused(claim: ChangeClaim, code: string, reason: string): Promise<void> {
  const refusal = { code, details: { reason } }
  const before = await stateOf(request)
  await expect(checkChangeClaim(use.parts, claim)).rejects.toMatchObject(refusal)
  await expect(complete(claim)).rejects.toMatchObject(refusal)
  expect([await isRenamed(), await stateOf(request)]).toEqual([false, before])
}
async function approveAndCoolOff(): Promise<void> {
  await use.approveTwice(request)
  use.parts.clock.advance(HOUR_SECONDS * 1_000)
}

test('an approved and cooled-off change is made, once, with its audit entry', async () => {
  await approveAndCoolOff()
  await checkChangeClaim(use.parts, use.claimOf(request))
  await complete(use.claimOf(request))
  expect([await isRenamed(), await stateOf(request)]).toEqual([true, 'completed'])
  expect((await use.actions()).at(-1)).toBe('completeChangeRequest')
  await expect(complete(use.claimOf(request))).rejects.toMatchObject({
    code: 'CONFLICT',
    details: { reason: 'change_request_completed' },
  })
})

test('a change with too few approvals is refused', async () => {
  await use.approve(request, use.ids.grace)
  await expectRefused(use.claimOf(request), 'FORBIDDEN', 'change_request_not_approved')
})

test('a change that cools off is refused until the last second', async () => {
  await use.approveTwice(request)
  use.parts.clock.advance(HOUR_SECONDS * 1_000 - 1)
  await expectRefused(use.claimOf(request), 'FORBIDDEN', 'change_request_cooling_off')
  use.parts.clock.advance(1)
  await complete(use.claimOf(request))
  expect(await isRenamed()).toBe(true)
})

test('approvals are counted again: one that was lost since stops the change', async () => {
  await approveAndCoolOff()
  await use.setRole(use.ids.grace, 'viewer')
  await expectRefused(use.claimOf(request), 'FORBIDDEN', 'change_request_not_approved')
  await use.remove(use.ids.linus)
  await expectRefused(use.claimOf(request), 'FORBIDDEN', 'change_request_not_approved')
})

test('another body, another kind and another caller are refused', async () => {
  await approveAndCoolOff()
  const { fingerprint } = requestedBy(use.owner)
  await expectRefused(use.claimOf(request, { fingerprint }), 'CONFLICT', 'change_request_mismatch')
  await expectRefused(use.claimOf(request, { kind: 'keys' }), 'CONFLICT', 'change_request_mismatch')
  for (const requester of [
    { type: 'user', id: use.ids.admin },
    { type: 'key', id: use.owner.userId },
  ] as const)
    await expectRefused(use.claimOf(request, { requestedBy: requester }), 'FORBIDDEN', 'change_request_of_another')
})

test('a rejected change is refused, although it was approved', async () => {
  await approveAndCoolOff()
  const decision = { organizationId: use.organizationId, changeRequestId: request.id, userId: use.ids.viewer }
  await rejectChangeRequest(use.parts, decision)
  await expectRefused(use.claimOf(request), 'CONFLICT', 'change_request_rejected')
})

test('an approved change can be completed for a week after it cooled off, and not later', async () => {
  await approveAndCoolOff()
  use.parts.clock.advance(CHANGE_COMPLETION_TIMEOUT_MS)
  await expectRefused(use.claimOf(request), 'CONFLICT', 'change_request_expired')
})

test('a request of another organization does not exist', async () => {
  await approveAndCoolOff()
  const claim = use.claimOf(request, { organizationId: use.organizationId + 1 })
  await expect(complete(claim)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await isRenamed()).toBe(false)
})

test('one of two completions at once makes the change', async () => {
  await approveAndCoolOff()
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => complete(use.claimOf(request))))
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect((await use.actions()).filter((action) => action === 'completeChangeRequest')).toHaveLength(1)
})

test('a change that fails leaves its request approved', async () => {
  await approveAndCoolOff()
  const failing = completeChangeRequest<void>(use.parts, use.claimOf(request), transactOn(use.parts.db))
  await expect(
    failing(async () => {
      throw new Error('refused by the verb')
    }),
  ).rejects.toThrow('refused by the verb')
  expect(await stateOf(request)).toBe('approved')
  await complete(use.claimOf(request))
  expect(await isRenamed()).toBe(true)
})

test('completing a policy leaves a request open that replaces another setting of its kind', async () => {
  const change = { kind: 'approval_policy', rule: { requiredApprovals: 1, coolingOffSeconds: 0 } } as const
  const policy = await use.request({ ...change, action: 'updateApprovalPolicy' })
  const limits = await use.request({ ...change, action: 'setDepositLimits' })
  await use.approve(policy, use.ids.grace)
  await complete(use.claimOf(policy))
  expect(await stateOf(limits)).toBe('requested')
})

test('completing a policy cancels the other open requests for policies, and no others', async () => {
  const rule = { requiredApprovals: 1, coolingOffSeconds: 0 }
  const policy = await use.request({ kind: 'approval_policy', rule })
  const stale = await use.request({ kind: 'approval_policy', rule })
  await use.approve(policy, use.ids.grace)
  await use.approve(stale, use.ids.grace)
  await complete(use.claimOf(policy))
  expect([await stateOf(stale), await stateOf(request)]).toEqual(['cancelled', 'requested'])
  expect((await use.actions()).slice(-2)).toEqual(['completeChangeRequest', 'supersedeChangeRequest'])
})
