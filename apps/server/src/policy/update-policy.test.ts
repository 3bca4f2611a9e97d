// Also tested elsewhere: every invalid policy, roles and history over HTTP
// (surfaces/core/operations/approval-policy.test.ts), and moves that are planned again after a change
// (rebalancing/evaluate-due-wallets.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { failingTransact } from '../../testing/index.ts'
import { useStore } from '../../testing/operations/use-store.ts'
import { MANUAL_POLICY } from '../../testing/rebalancing/operational-wallets.ts'
import type { UserCredential } from '../identity/index.ts'
import { getPolicy, listPolicyVersions, type PolicyVersion } from './policy-versions.ts'
import { updatePolicy } from './update-policy.ts'

const store = useStore()
let owner: UserCredential

beforeEach(async () => {
  owner = await ownerOf(await store.organization())
})

async function ownerOf(organizationId: number): Promise<UserCredential> {
  const { id: userId } = await store.db
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return { kind: 'user', organizationId, userId, sessionId: userId, role: 'owner', rateLimitOverrides: {} }
}
const update = (requiredApprovals: number, by = owner) =>
  updatePolicy(store.parts, by, { policy: { ...MANUAL_POLICY, requiredApprovals } })
const versions = async (by = owner) =>
  (await listPolicyVersions(store.parts, by.organizationId, { limit: 50, offset: 0 })).items.map(
    ({ version, policy }) => [version, policy.requiredApprovals],
  )
const dueAt = async (opWalletId: number) =>
  (
    await store.db
      .selectFrom('operational_wallets')
      .select('due_at')
      .where('id', '=', opWalletId)
      .executeTakeFirstOrThrow()
  ).due_at

test('a new version applies at once, and earlier versions do not change', async () => {
  expect(await update(1)).toMatchObject({ version: 1, changedBy: { id: owner.userId }, changedAt: store.clock.now() })
  await update(2)
  expect(await getPolicy(store.parts, owner.organizationId)).toMatchObject({
    version: 2,
    policy: { requiredApprovals: 2 },
  })
  expect(await versions()).toEqual([
    [2, 2],
    [1, 1],
  ])
})

test('a change of an older version than the one in force is refused: CONFLICT, and names that version', async () => {
  const change = (basedOnVersion: number) => updatePolicy(store.parts, owner, { policy: MANUAL_POLICY, basedOnVersion })
  await change(0)
  await expect(change(0)).rejects.toMatchObject({
    code: 'CONFLICT',
    details: { reason: 'changed_meanwhile', version: 1 },
  })
  expect(await change(1)).toMatchObject({ version: 2 })
  const both = await Promise.allSettled([change(2), change(2)])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await versions()).toHaveLength(3)
})

test('simultaneous changes become consecutive versions, and none is lost', async () => {
  const changed = await Promise.all([1, 2, 3, 4, 5].map((approvals) => update(approvals)))
  expect(changed.map(({ version }) => version).sort()).toEqual([1, 2, 3, 4, 5])
  expect(await versions()).toHaveLength(5)
})

test('each organization counts its own versions', async () => {
  const other = await ownerOf(await store.organization())
  await update(1)
  expect((await update(3, other)).version).toBe(1)
  expect(await versions()).toEqual([[1, 1]])
})

test('an invalid policy names every invalid path and changes nothing', async () => {
  const invalid = updatePolicy(store.parts, owner, { policy: { ...MANUAL_POLICY, mode: 'x', requiredApprovals: 0 } })
  await expect(invalid).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { issues: [{ path: 'mode' }, { path: 'requiredApprovals' }] },
  })
  expect(await versions()).toEqual([])
})

test('wallets whose last evaluation paused are due at once, in the transaction of the change', async () => {
  const { organizationId } = owner
  const [paused, inOrder] = [
    await store.operationalWallet(await store.wallet({ organizationId })),
    await store.operationalWallet(await store.wallet({ organizationId })),
  ]
  const evaluated = (opWalletId: number, outcome: string) =>
    store.db
      .updateTable('operational_wallets')
      .set({ due_at: null, last_evaluation: JSON.stringify({ outcome }) })
      .where('id', '=', opWalletId)
      .execute()
  await evaluated(paused.opWalletId, 'paused')
  await evaluated(inOrder.opWalletId, 'in order')
  const failing = failingTransact<PolicyVersion>(store.db, 'the response could not be stored')
  await expect(updatePolicy(store.parts, owner, { policy: MANUAL_POLICY }, failing)).rejects.toThrow(
    'could not be stored',
  )
  expect(await dueAt(paused.opWalletId)).toBeNull()
  await update(1)
  expect(await dueAt(paused.opWalletId)).toEqual(store.clock.now())
  expect(await dueAt(inOrder.opWalletId)).toBeNull()
})
