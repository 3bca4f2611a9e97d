// Also tested elsewhere: what the count releases (approve-operation.test.ts), and people who decide and leave over HTTP
// (surfaces/core/operations/decisions.test.ts).
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { addApprover } from '../../../testing/changes/add-approver.ts'
import { countStatements } from '../../../testing/index.ts'
import { useStore } from '../../../testing/operations/use-store.ts'
import type { Role } from '../../database/index.ts'
import { NO_PASSWORD } from '../../identity/members/password.ts'
import type { Operation, OperationFields } from '../lifecycle/states/operation.ts'
import { countApprovals, countApprovalsOf } from './count-approvals.ts'
import { recordDecision } from './record-decision.ts'

const store = useStore()
let operation: Operation
let requester: number
let bob: number

/** An organization whose owner requested an operation, with one other approver. */
beforeEach(async () => {
  const opWallet = await store.operationalWallet(await store.wallet())
  const { organizationId } = opWallet
  const { id } = await store.db
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  requester = id
  const requestedBy = { type: 'user', id } as const
  operation = { ...(await store.move(opWallet, { requestedBy })), requiredApprovals: 1, requesterMayApprove: false }
  bob = await addApprover(store, organizationId)
})

const approve = (userId: number) =>
  store.tx((tx) => recordDecision(tx, { operation, userId, decision: 'approve', at: store.clock.now() }))
const count = (change: Partial<OperationFields> = {}) =>
  store.tx((tx) => countApprovals(tx, { ...operation, ...change }))
type MemberChange = {
  role?: Role
  removed_at?: Date | null
  password_change_required?: boolean
  password_hash?: string
}
const change = (userId: number, to: MemberChange) =>
  store.db.updateTable('users').set(to).where('id', '=', userId).execute()

test('an approval counts while its member may approve: not once removed or a viewer, and again once promoted', async () => {
  await approve(bob)
  expect((await count()).approvals).toBe(1)
  await change(bob, { role: 'viewer' })
  expect((await count()).approvals).toBe(0)
  await change(bob, { role: 'admin' })
  expect((await count()).approvals).toBe(1)
  await change(bob, { removed_at: store.clock.now() })
  expect((await count()).approvals).toBe(0)
})

test('somebody who is not a member never counts', async () => {
  await approve(await addApprover(store, await store.organization()))
  expect((await count()).approvals).toBe(0)
})

test('the approval of the requester does not count while others can give all approvals', async () => {
  await approve(requester)
  expect(await count()).toEqual({ approvals: 0, excludedUserId: requester })
  await approve(bob)
  expect(await count()).toEqual({ approvals: 1, excludedUserId: requester })
})

test('the approval of the member who holds the secret of a service account does not count for what it requests', async () => {
  const byAccount = { requestedBy: { type: 'service_account', id: 7 }, requesterUserId: requester } as const
  await approve(requester)
  expect(await count(byAccount)).toEqual({ approvals: 0, excludedUserId: requester })
  await approve(bob)
  expect(await count(byAccount)).toEqual({ approvals: 1, excludedUserId: requester })
})

test('the requester counts where the policy says so, and where too few others may approve', async () => {
  await approve(requester)
  const counts = { approvals: 1, excludedUserId: null }
  expect(await count({ requesterMayApprove: true })).toEqual(counts)
  expect(await count({ requiredApprovals: 2 })).toEqual(counts)
  await change(bob, { role: 'viewer' })
  expect(await count()).toEqual(counts)
  await change(bob, { role: 'approver' })
  expect(await count()).toEqual({ approvals: 0, excludedUserId: requester })
})

test.each<[string, MemberChange]>([
  ['whose password somebody reset', { password_change_required: true }],
  ['without a way to sign in', { password_hash: NO_PASSWORD }],
])('a member %s is still one of the others: nobody gains their own approval by it', async (_, columns) => {
  await approve(requester)
  await change(bob, columns)
  expect(await count()).toEqual({ approvals: 0, excludedUserId: requester })
})

test.each([
  ['a key with the id of a member', (id: number) => ({ type: 'key', id }) as const],
  ['the rebalancer', () => ({ type: 'system', id: null }) as const],
  ['an unknown requester', () => null],
])('an operation of %s can be approved by every member', async (_, requestedBy) => {
  await approve(requester)
  expect(await count({ requestedBy: requestedBy(requester) })).toEqual({ approvals: 1, excludedUserId: null })
})

test('several operations are counted in one statement, each with its own requester', async () => {
  const own = { ...operation, requestedBy: { type: 'user', id: bob } as const, operationId: 2 ** 40 }
  await approve(bob)
  const { result, statements } = await countStatements(() =>
    countApprovalsOf(store.db, operation.organizationId, [own, operation]),
  )
  expect(statements).toBe(1)
  expect([...result]).toEqual([
    [own.operationId, { approvals: 0, excludedUserId: bob }],
    [operation.operationId, { approvals: 1, excludedUserId: requester }],
  ])
  expect((await countApprovalsOf(store.db, operation.organizationId, [])).size).toBe(0)
})

test('one statement counts', async () => {
  expect((await countStatements(() => count())).statements).toBe(1)
})

test('for any members, roles and decisions, nobody releases their own operation while others can', async () => {
  const { organizationId } = operation
  const role = fc.constantFrom<Role>('owner', 'admin', 'approver', 'viewer')
  const person = fc.record({ role, removed: fc.boolean(), approves: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(
      fc.array(person, { maxLength: 4 }),
      fc.integer({ min: 1, max: 3 }),
      async (others, requiredApprovals) => {
        await store.db.deleteFrom('operation_approvals').where('operation_id', '=', operation.operationId).execute()
        await store.db
          .updateTable('users')
          .set({ removed_at: store.clock.now() })
          .where('organization_id', '=', organizationId)
          .where('id', '<>', requester)
          .execute()
        for (const other of others) {
          const id = await addApprover(store, organizationId, other.role)
          if (other.approves) await approve(id)
          if (other.removed) await change(id, { removed_at: store.clock.now() })
        }
        await approve(requester)
        const able = others.filter((other) => other.role !== 'viewer' && !other.removed)
        const given = able.filter(({ approves }) => approves).length
        const isExcluded = able.length >= requiredApprovals
        expect(await count({ requiredApprovals })).toEqual({
          approvals: isExcluded ? given : given + 1,
          excludedUserId: isExcluded ? requester : null,
        })
      },
    ),
    { numRuns: 30 },
  )
})
