// Also tested elsewhere: what decisions do (approve-operation.test.ts, reject-operation.test.ts), which approvals count
// (count-approvals.test.ts), and simultaneous ones (concurrent-decisions.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { addApprover } from '../../../testing/changes/add-approver.ts'
import { useStore } from '../../../testing/operations/use-store.ts'
import type { VerifiedAssertion } from '../../identity/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { countApprovals } from './count-approvals.ts'
import { type Decision, recordDecision } from './record-decision.ts'

const store = useStore()
let operation: Operation
let ada: number
let bob: number
beforeEach(async () => {
  operation = await store.move(await store.operationalWallet(await store.wallet()))
  const { organizationId } = operation
  ada = await addApprover(store, organizationId)
  bob = await addApprover(store, organizationId)
})

const decide = (userId: number, decision: 'approve' | 'reject', of = operation) =>
  store.tx((tx) => recordDecision(tx, { operation: of, userId, decision, at: store.clock.now() }))
const approvals = async (of = operation) => (await store.tx((tx) => countApprovals(tx, of))).approvals
const decisions = () =>
  store.db
    .selectFrom('operation_approvals')
    .select(['user_id', 'decision', 'created_at'])
    .where('operation_id', '=', operation.operationId)
    .orderBy('user_id')
    .execute()

test('people are counted, not decisions: the same person approves once, at the first moment', async () => {
  const first = store.clock.now()
  await decide(ada, 'approve')
  store.clock.advance(1_000)
  await decide(ada, 'approve')
  expect(await approvals()).toBe(1)
  expect(await decisions()).toEqual([{ user_id: ada, decision: 'approve', created_at: first }])
  await decide(bob, 'approve')
  expect(await approvals()).toBe(2)
})

test('simultaneous approvals by one person count once', async () => {
  await Promise.all(Array.from({ length: 5 }, () => decide(ada, 'approve')))
  expect(await approvals()).toBe(1)
})

test('a person who rejects after approving no longer counts as an approval', async () => {
  await decide(ada, 'approve')
  await decide(bob, 'reject')
  expect(await approvals()).toBe(1)
  await decide(ada, 'reject')
  expect(await approvals()).toBe(0)
  expect((await decisions()).map(({ decision }) => decision)).toEqual(['reject', 'reject'])
})

test('approvals of other operations do not count', async () => {
  const { organizationId } = operation
  const other = await store.move(await store.operationalWallet(await store.wallet({ organizationId })))
  await decide(ada, 'approve', other)
  expect(await approvals()).toBe(0)
})

test('an explanation replaces an earlier one and keeps the signature; another decision replaces both', async () => {
  const signature = {
    credentialId: Buffer.from('c'),
    authenticatorData: Buffer.from('a'),
    clientData: Buffer.from('d'),
    signature: Buffer.from('s'),
  } as VerifiedAssertion
  const record = (decision: 'approve' | 'reject', more: Partial<Decision>) =>
    store.tx((tx) => recordDecision(tx, { operation, userId: ada, decision, at: store.clock.now(), ...more }))
  const kept = () =>
    store.db
      .selectFrom('operation_approvals')
      .select(['decision', 'reason', 'link', 'file_sha256', 'signature'])
      .where('operation_id', '=', operation.operationId)
      .executeTakeFirstOrThrow()
  await record('approve', { signature, explanation: { reason: 'Invoice 1042' } })
  await record('approve', {})
  const first = {
    decision: 'approve',
    reason: 'Invoice 1042',
    link: null,
    file_sha256: null,
    signature: signature.signature,
  }
  expect(await kept()).toEqual(first)
  await record('approve', { signature })
  expect(await kept()).toEqual(first)
  const link = 'https://files.example/1042'
  await record('approve', { explanation: { link } })
  expect(await kept()).toEqual({ ...first, reason: null, link })
  const fileSha256 = 'ab'.repeat(32)
  await record('approve', { explanation: { fileSha256 } })
  expect(await kept()).toEqual({ ...first, reason: null, file_sha256: fileSha256 })
  await record('reject', {})
  expect(await kept()).toEqual({ decision: 'reject', reason: null, link: null, file_sha256: null, signature: null })
})
