// Also tested elsewhere: hashes that clients report (submission/link-reported-hash.test.ts), that agents report
// (leasing/report-submitted.test.ts), and that the follower finds (settlement/landings/apply-finding.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { useStore } from '../../../testing/operations/use-store.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { advanceOperations } from '../lifecycle/transitions/advance-operations.ts'
import { findLinkedHash, linkHash } from './transaction-hashes.ts'

const store = useStore()
const HASH = '0xhash'
let wallet: Wallet
let operation: Operation

beforeEach(async () => {
  wallet = await store.wallet()
  operation = await store.plan(wallet)
})

const idOf = ({ transactions }: Operation, position = 0) => transactions[position]!.transactionId
type NewHash = Parameters<typeof linkHash>[1]
const link = (transactionId: number, change: Partial<NewHash> = {}) => {
  const { organizationId } = wallet
  const hash = { organizationId, blockchain: 'polygon', transactionId, txHash: HASH, at: store.clock.now() }
  return store.tx((tx) => linkHash(tx, { ...hash, source: 'hash', ...change }))
}
const find = (organizationId = wallet.organizationId, blockchain = 'polygon') =>
  findLinkedHash(store.db, organizationId, blockchain, HASH)
const cancel = (of: Operation) =>
  store.tx((tx) => advanceOperations(tx, [{ operation: of, event: 'cancelled' }], store.clock.now()))

test('a hash is linked once, by its first reporter', async () => {
  expect(await link(idOf(operation), { raw: '0x02', source: 'signed' })).toBe(true)
  expect(await link(idOf(operation))).toBe(false)
  expect(await link(idOf(operation, 1))).toBe(false)
  expect(await find()).toMatchObject({ txHash: HASH, transactionId: idOf(operation), raw: '0x02' })
})

test('one of several simultaneous links succeeds', async () => {
  const linked = await Promise.all([0, 1, 0, 1].map((position) => link(idOf(operation, position))))
  expect(linked.filter(Boolean)).toHaveLength(1)
})

test('each organization and each chain links a hash for itself', async () => {
  const other = await store.plan(await store.wallet())
  expect(await link(idOf(operation))).toBe(true)
  const { organizationId } = other
  expect(await link(idOf(other), { organizationId })).toBe(true)
  expect((await find())?.transactionId).toBe(idOf(operation))
  expect((await find(organizationId))?.transactionId).toBe(idOf(other))
  expect(await find(organizationId, 'base')).toBeUndefined()
})

test('an unfinished operation takes a hash over from an equal one that ended without it, with its signed bytes', async () => {
  await link(idOf(operation), { raw: '0x02', source: 'signed' })
  await store.db.updateTable('transaction_hashes').set({ broadcast_at: store.clock.now() }).execute()
  await cancel(operation)
  const next = await store.plan(wallet)
  expect(await link(idOf(next))).toBe(true)
  expect(await find()).toMatchObject({ txHash: HASH, transactionId: idOf(next), raw: '0x02' })
  const { broadcast_at } = await store.db
    .selectFrom('transaction_hashes')
    .select('broadcast_at')
    .where('transaction_id', '=', idOf(next))
    .executeTakeFirstOrThrow()
  expect(broadcast_at, 'it is sent again for the operation that has it now').toBeNull()
})

test('an operation that has ended takes over nothing', async () => {
  await link(idOf(operation))
  await cancel(operation)
  const next = await store.plan(wallet)
  await cancel(next)
  expect(await link(idOf(next))).toBe(false)
  expect((await find())?.transactionId).toBe(idOf(operation))
})
