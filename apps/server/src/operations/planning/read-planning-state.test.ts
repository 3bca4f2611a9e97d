// Also tested elsewhere: nonces of concurrent plans on a real chain (planning/next-nonce.test.ts), with a lagging node
// (transactions/invalidate-consumed-nonces.test.ts), and after reorganizations
// (settlement/reorgs/rollback-reorged-blocks.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { senderState, useStore } from '../../../testing/operations/use-store.ts'
import { USDC } from '../../../testing/units.ts'
import type { Wallet } from '../../wallets/index.ts'
import { advanceTransaction } from '../lifecycle/transitions/advance-transactions.ts'
import { linkHash } from '../transactions/transaction-hashes.ts'
import { lockWalletAndAllocateIds, readPlanningState } from './read-planning-state.ts'

const store = useStore()
let wallet: Wallet

beforeEach(async () => {
  wallet = await store.wallet()
})

const read = (nonce = 0, of = wallet) =>
  store.tx((tx) => readPlanningState(tx, of, store.strategy.tokenAddress, senderState(nonce)))
const nonceAt = async (nonce: number) => (await read(nonce)).nextNonce

test('ids are allocated once, and not at all for another organization’s wallet', async () => {
  const allocate = (of: Wallet) => store.tx((tx) => lockWalletAndAllocateIds(tx, of, 2))
  const all = await Promise.all([allocate(wallet), allocate(wallet), allocate(wallet)])
  expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(3)
  expect(new Set(all.flatMap(({ transactionIds }) => transactionIds)).size).toBe(6)
  const foreign = { ...wallet, organizationId: await store.organization() }
  await expect(allocate(foreign)).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' })
})

test('a second plan of the wallet waits until the first has committed', async () => {
  const order: string[] = []
  let commit = () => {}
  const committed = new Promise<void>((resolve) => {
    commit = resolve
  })
  let lock = () => {}
  const locked = new Promise<void>((resolve) => {
    lock = resolve
  })
  const first = store.tx(async (tx) => {
    await lockWalletAndAllocateIds(tx, wallet, 1)
    lock()
    await committed
    order.push('first')
  })
  await locked
  const second = store.tx(async (tx) => {
    await lockWalletAndAllocateIds(tx, wallet, 1)
    order.push('second')
  })
  const other = await store.wallet({ organizationId: wallet.organizationId })
  await store.tx((tx) => lockWalletAndAllocateIds(tx, other, 1))
  commit()
  await Promise.all([first, second])
  expect(order).toEqual(['first', 'second'])
})

test('it has the unfinished operations, what is available, and what they reserve', async () => {
  const plan = await store.plan(wallet, { amount: 300n * USDC })
  expect(await read()).toMatchObject({
    unfinished: [plan],
    available: 700n * USDC,
    reserved: new Map([[plan.operationId, { amount: 300n * USDC, covered: 300n * USDC }]]),
  })
  const fresh = await store.wallet({ organizationId: wallet.organizationId, usdc: 5n })
  expect(await read(0, fresh)).toMatchObject({ unfinished: [], available: 5n, reserved: new Map() })
})

test('the next nonce never falls behind a count that any node has reported, even for another organization', async () => {
  expect(await nonceAt(4)).toBe(4)
  expect(await nonceAt(2)).toBe(4)
  const twin = { ...(await store.wallet()), address: wallet.address }
  expect((await read(1, twin)).nextNonce).toBe(4)
  expect(await nonceAt(6)).toBe(6)
})

test('the next nonce is above the wallet’s pending transactions that a node has or that are stored to be sent', async () => {
  const plan = await store.plan(wallet, { nonce: 4 })
  const [first] = plan.transactions
  const submitted = { event: 'submitted', txHash: '0x1', at: store.clock.now() } as const
  await store.tx((tx) => advanceTransaction(tx, plan, first!, submitted))
  expect(await nonceAt(4), 'a hash that a client reported and no node knows').toBe(4)
  await store.tx((tx) =>
    linkHash(tx, {
      organizationId: wallet.organizationId,
      blockchain: 'polygon',
      transactionId: first!.transactionId,
      txHash: '0x1',
      source: 'signed',
      raw: '0x02',
      at: store.clock.now(),
    }),
  )
  expect(await nonceAt(4)).toBe(5)
})
