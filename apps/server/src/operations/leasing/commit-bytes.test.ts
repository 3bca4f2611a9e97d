// Also tested elsewhere: bytes over time on real chains (agents/poll-transactions.test.ts, and -solana), nonces from a
// lagging node (transactions/invalidate-consumed-nonces.test.ts), random sequences
// (agents/random-lease-sequences.test.ts), and crashes (agents/crash-recovery.test.ts, simulate/treasury).
import { beforeEach, expect, test } from 'vitest'
import { untilBlockedOrEnded } from '../../../testing/database/overlap.ts'
import { senderState, step, useStore } from '../../../testing/operations/use-store.ts'
import { USDC } from '../../../testing/units.ts'
import { decodeUnsigned } from '../../chains/evm/transactions/decode-unsigned.ts'
import { inTransaction, unbatched } from '../../database/index.ts'
import { AGENT_CLAIM_MS, addMilliseconds } from '../../kernel/index.ts'
import { type OperationalWallet, updateOperationalWallet } from '../../wallets/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import type { UnsubmittedTransaction } from '../lifecycle/states/transaction.ts'
import { abortUnissued } from '../lifecycle/transitions/abort-unissued.ts'
import { claimTransaction } from './claim-transaction.ts'
import { commitBytes, type IssuedBytes, type IssueRequest } from './commit-bytes.ts'
import type { TransactionClaim } from './lease.ts'
import { reportFailed } from './report-failed.ts'

const store = useStore()
const LEASE_MS = 60_000
let opWallet: OperationalWallet
let operation: Operation

beforeEach(async () => {
  opWallet = await store.operationalWallet(await store.wallet())
  operation = await store.move(opWallet)
})

let claims = 0
async function claim(): Promise<TransactionClaim> {
  claims += 1
  const { organizationId } = opWallet
  const request = { organizationId, blockchains: ['polygon'], leaseToken: `lease_${claims}`, now: store.clock.now() }
  return (await claimTransaction(store.db, request))!
}

const rebuild = (change: object = {}): IssueRequest => ({
  decision: 'rebuild',
  senderState: senderState(4),
  gas: 80_000n,
  steps: [step('approve'), step('supply')],
  bufferSetAt: opWallet.updatedAt,
  ...change,
})
const firstOf = ({ transactions }: Operation) => transactions[0] as UnsubmittedTransaction
const commit = (by: TransactionClaim, request = rebuild(), read = firstOf(operation)) =>
  commitBytes(store.parts, store.chain, { claim: by, leaseDurationMs: LEASE_MS, read, request })
async function issue(by?: TransactionClaim, request?: IssueRequest): Promise<IssuedBytes> {
  const issued = await commit(by ?? (await claim()), request, firstOf(await store.reload(operation)))
  if (typeof issued === 'string') throw new Error(`nothing was issued: ${issued}`)
  return issued
}
const work = (of = operation) =>
  store.db
    .selectFrom('agent_work')
    .selectAll()
    .where('transaction_id', '=', firstOf(of).transactionId)
    .executeTakeFirstOrThrow()

test('new bytes are stored with their lease before anyone gets them', async () => {
  const { transaction, lease } = await issue()
  expect(transaction).toMatchObject({ state: 'issued', nonce: 4, canStillLand: true })
  expect(firstOf(await store.reload(operation))).toMatchObject({
    state: 'issued',
    unsignedBytes: transaction.unsignedBytes,
  })
  expect(lease.leasedUntil).toEqual(addMilliseconds(store.clock.now(), LEASE_MS))
  expect(await work()).toMatchObject({ stage: 'leased', lease_count: 1, issued_at: store.clock.now() })
})

test('a claim that lapsed and passed to another agent issues nothing', async () => {
  const lapsed = await claim()
  store.clock.advance(AGENT_CLAIM_MS)
  const next = await claim()
  expect(await commit(lapsed)).toBe('retry_later')
  expect(firstOf(await store.reload(operation)).state).toBe('planned')
  expect((await issue(next)).lease.leaseToken).toBe(next.leaseToken)
})

test('bytes that changed since they were read are kept, and the work pauses', async () => {
  const { transaction } = await issue()
  store.clock.advance(LEASE_MS)
  const again = await claim()
  expect(await commit(again)).toBe('retry_later')
  expect(await work()).toMatchObject({ stage: 'paused', pause_reason: expect.stringContaining('changed') })
  expect(firstOf(await store.reload(operation))).toMatchObject({ unsignedBytes: transaction.unsignedBytes })
})

test('a buffer that was set since the check pauses the work, and no bytes are issued', async () => {
  const claimed = await claim()
  store.clock.advance(1)
  const { organizationId, opWalletId } = opWallet
  await updateOperationalWallet(store.parts, { organizationId, opWalletId, buffer: 950n * USDC })
  expect(await commit(claimed)).toBe('retry_later')
  expect(firstOf(await store.reload(operation)).state).toBe('planned')
  expect(await work()).toMatchObject({ stage: 'paused', pause_reason: expect.stringContaining('buffer') })
})

test('a buffer that is set while bytes are being stored waits, and finds them issued', async () => {
  const claimed = await claim()
  const { organizationId, opWalletId } = opWallet
  let committing: Promise<unknown> = Promise.resolve()
  let stateAtChange: string | undefined
  let changing: Promise<unknown> = Promise.resolve()
  await inTransaction(store.db, async (tx) => {
    // Stops the commit after its check of the buffer, and before the bytes.
    await tx.selectFrom('agent_work').select('transaction_id').forUpdate().execute()
    committing = commit(claimed)
    await untilBlockedOrEnded(store.db, committing)
    store.clock.advance(1)
    changing = updateOperationalWallet(store.parts, { organizationId, opWalletId, buffer: 950n * USDC }).then(
      async () => {
        stateAtChange = firstOf(await store.reload(operation)).state
      },
    )
    await untilBlockedOrEnded(store.db, changing, 2)
  })
  await Promise.all([committing, changing])
  expect(stateAtChange).toBe('issued')
})

test('an operation that ended since the claim gets no bytes', async () => {
  const claimed = await claim()
  await store.tx((tx) => abortUnissued(unbatched(tx), [operation], 'It is not wanted.', store.clock.now()))
  expect(await commit(claimed)).toBe('retry_later')
  expect(await store.reload(operation)).toMatchObject({ state: 'ABORTED' })
  expect((await store.reload(operation)).transactions.every(({ canStillLand }) => !canStillLand)).toBe(true)
})

test('issued bytes are reused under the next lease, which counts as the second', async () => {
  const first = await issue()
  store.clock.advance(LEASE_MS)
  const second = await issue(undefined, { decision: 'reuse' })
  expect(second.transaction.unsignedBytes).toBe(first.transaction.unsignedBytes)
  expect(second.lease.leaseToken).not.toBe(first.lease.leaseToken)
  expect((await work()).lease_count).toBe(2)
})

test('new fees keep the nonce and the call, so only one of the two can land', async () => {
  const first = await issue()
  store.clock.advance(LEASE_MS)
  const higher = { ...senderState(9), maxFeePerGas: 500n }
  const { transaction } = await issue(undefined, { decision: 'reprice', senderState: higher, gas: 80_000n })
  expect(transaction).toMatchObject({ nonce: 4, call: first.transaction.call })
  expect(decodeUnsigned(transaction.unsignedBytes).maxFeePerGas).toBe(500n)
})

test('the venue’s current calls replace those of every waiting transaction', async () => {
  const steps = [step('approve', '0xaaaaaaaa'), step('supply', '0xbbbbbbbb')]
  await issue(undefined, rebuild({ steps }))
  const { transactions } = await store.reload(operation)
  expect(transactions.map(({ call }) => call)).toEqual(steps.map(({ call }) => call))
  expect(transactions[1]!.state).toBe('planned')
})

/** The operation fails while its bytes may still land with nonce 4, and another one takes its place. */
async function leaveOutstandingBytes(): Promise<void> {
  const { lease, transaction } = await issue()
  const { organizationId } = opWallet
  const { transactionId } = transaction
  await reportFailed(store.parts, { organizationId, transactionId, error: 'no', leaseToken: lease.leaseToken })
  expect((await store.reload(operation)).transactions[0]!.state).toBe('outstanding')
  operation = await store.move(opWallet)
}

test('outstanding bytes of an ended operation and new ones may share a nonce, so one of them lands', async () => {
  await leaveOutstandingBytes()
  expect((await issue()).transaction.nonce).toBe(4)
})

test('bytes above the nonce of outstanding bytes are not issued', async () => {
  await leaveOutstandingBytes()
  expect(await commit(await claim(), rebuild({ senderState: senderState(5) }))).toBe('retry_later')
  expect(await work()).toMatchObject({ stage: 'paused', pause_reason: expect.stringContaining('may still land') })
  expect(firstOf(await store.reload(operation)).state).toBe('planned')
})

test('a deployment of the rebalancer gets no bytes once a circuit breaker of its strategy is open', async () => {
  const claimed = await claim()
  const { organizationId, strategyId } = operation
  const opened = { state: 'open', opened_at: store.clock.now(), updated_at: store.clock.now() } as const
  await store.db
    .insertInto('circuit_breakers')
    .values({ organization_id: organizationId, strategy_id: strategyId, kind: 'upgrade', ...opened })
    .execute()
  expect(await commit(claimed)).toBe('retry_later')
  expect(await work()).toMatchObject({
    stage: 'paused',
    pause_reason: expect.stringContaining('a circuit breaker is open'),
  })
  expect(firstOf(await store.reload(operation)).canStillLand).toBe(false)
  const requested = await store.move(await store.operationalWallet(await store.wallet()), { origin: 'explicit' })
  await store.db.updateTable('circuit_breakers').set({ organization_id: requested.organizationId }).execute()
  const other = (await claimTransaction(store.db, {
    organizationId: requested.organizationId,
    blockchains: ['polygon'],
    leaseToken: 'lease_of_a_person',
    now: store.clock.now(),
  }))!
  expect(typeof (await commit(other, rebuild(), firstOf(requested)))).toBe('object')
})
