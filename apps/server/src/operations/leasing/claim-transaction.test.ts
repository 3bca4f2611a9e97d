// Also tested elsewhere: polls that wait (agents/poll-transactions.test.ts), random sequences
// (agents/random-lease-sequences.test.ts), and cost under many rows (bench/poll.ts).
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { overlap } from '../../../testing/database/overlap.ts'
import { useStore } from '../../../testing/operations/use-store.ts'
import { AGENT_CLAIM_MS } from '../../kernel/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { advanceAgentWork } from '../lifecycle/transitions/advance-agent-work.ts'
import { claimTransaction, countClaimable } from './claim-transaction.ts'

const store = useStore()
let organizationId: number
let operations: Operation[]

/** An organization with two operations, whose approvals are ready. */
beforeEach(async () => {
  organizationId = await store.organization()
  operations = []
  for (const _ of [1, 2]) {
    operations.push(await store.move(await store.operationalWallet(await store.wallet({ organizationId }))))
  }
})

let tokens = 0
function claim(more: { organizationId?: number; blockchains?: string[] } = {}, db = store.db) {
  tokens += 1
  const request = { organizationId, blockchains: ['base', 'polygon'], leaseToken: `lease_${tokens}`, ...more }
  return claimTransaction(db, { ...request, now: store.clock.now() })
}
const count = (waiters: number, blockchains = ['base', 'polygon']) =>
  countClaimable(store.db, [{ organizationId, waiters }], blockchains, store.clock.now())
const idOf = (operation: Operation) => operation.transactions[0]!.transactionId

test('the first transaction of the oldest operation is claimed, and each one once', async () => {
  expect(await claim()).toEqual({
    organizationId,
    transactionId: idOf(operations[0]!),
    operationId: operations[0]!.operationId,
    blockchain: 'polygon',
    leaseToken: `lease_${tokens}`,
    wasIssued: false,
  })
  expect((await claim())?.transactionId).toBe(idOf(operations[1]!))
  expect(await claim(), 'the supplies wait for their approvals').toBeUndefined()
})

test('the oldest operation of all served chains goes first', async () => {
  for (const [operation, blockchain] of [
    [operations[0]!, 'polygon'],
    [operations[1]!, 'base'],
  ] as const) {
    const own = store.db.updateTable('agent_work').where('operation_id', '=', operation.operationId)
    await own.set({ blockchain }).execute()
  }
  expect((await claim())?.transactionId).toBe(idOf(operations[0]!))
  expect(await claim()).toMatchObject({ transactionId: idOf(operations[1]!), blockchain: 'base' })
})

test('no two of many simultaneous claims get the same transaction', async () => {
  const claimed = await Promise.all(Array.from({ length: 6 }, () => claim()))
  const ids = claimed.flatMap((one) => (one ? [one.transactionId] : []))
  expect(new Set(ids).size).toBe(ids.length)
  const rest = [await claim(), await claim()].flatMap((one) => (one ? [one.transactionId] : []))
  expect([...ids, ...rest].sort()).toEqual(operations.map(idOf).sort())
})

test.each(['ready', 'lapsed'])('work that is %s goes to one of two claims, however they overlap', async (stage) => {
  if (stage === 'lapsed') {
    await claim()
    await claim()
    store.clock.advance(AGENT_CLAIM_MS)
  }
  const second = overlap(store.db, () => claim())
  const first = await second.transact((tx) => claim({}, tx))
  expect([first, await second.outcome()].map((one) => one?.transactionId)).toEqual(operations.map(idOf))
})

test('a claim lapses, and the transaction of the older operation goes before ready work', async () => {
  await claim()
  store.clock.advance(AGENT_CLAIM_MS - 1)
  expect((await claim())?.transactionId).toBe(idOf(operations[1]!))
  expect(await claim()).toBeUndefined()
  store.clock.advance(1)
  expect((await claim())?.transactionId).toBe(idOf(operations[0]!))
})

test('the lapsed lease of the oldest operation goes first, however long the others have waited', async () => {
  const third = await store.move(await store.operationalWallet(await store.wallet({ organizationId })))
  const [first, second] = [(await claim())!, (await claim())!]
  const lapse = (transactionId: number, milliseconds: number) => {
    const at = new Date(store.clock.now().getTime() + milliseconds)
    const own = store.db.updateTable('agent_work').where('transaction_id', '=', transactionId)
    return own.set({ leased_until: at, available_at: at }).execute()
  }
  await lapse(first.transactionId, 20_000)
  await lapse(second.transactionId, 1_000)
  store.clock.advance(20_000)
  const claimed = [await claim(), await claim(), await claim()]
  expect(claimed.map((one) => one?.transactionId)).toEqual([first.transactionId, second.transactionId, idOf(third)])
})

test('paused work is claimed once its pause is over', async () => {
  const { transactionId, leaseToken } = (await claim())!
  await claim()
  const availableAt = new Date(store.clock.now().getTime() + 5_000)
  await advanceAgentWork(
    store.db,
    { organizationId, transactionId, leaseToken },
    { event: 'paused', availableAt, reason: 'It waits.' },
  )
  store.clock.advance(4_999)
  expect(await claim()).toBeUndefined()
  store.clock.advance(1)
  expect((await claim())?.transactionId).toBe(transactionId)
})

test('work of another organization or on an unavailable chain is never claimed', async () => {
  expect(await claim({ organizationId: await store.organization() })).toBeUndefined()
  expect(await claim({ blockchains: ['base'] })).toBeUndefined()
  expect(await count(5, ['base'])).toEqual(new Map([[organizationId, 0]]))
})

test('without work a claim writes nothing', async () => {
  await claim()
  await claim()
  await store.tx(async (tx) => {
    expect(await claim({}, tx)).toBeUndefined()
    const { rows } = await sql<{ id: string | null }>`select pg_current_xact_id_if_assigned()::text as id`.execute(tx)
    expect(rows).toEqual([{ id: null }])
  })
})

test('the count of claimable work ends at the number of waiting polls, and includes lapsed claims', async () => {
  expect(await count(5)).toEqual(new Map([[organizationId, 2]]))
  expect(await count(1)).toEqual(new Map([[organizationId, 1]]))
  await claim()
  expect(await count(5)).toEqual(new Map([[organizationId, 1]]))
  store.clock.advance(AGENT_CLAIM_MS)
  expect(await count(5)).toEqual(new Map([[organizationId, 2]]))
})
