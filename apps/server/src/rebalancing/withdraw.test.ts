// Also tested in: surfaces/core/treasury/allocation-moves.test.ts (over HTTP), rebalancing/evaluate-due-wallets.test.ts (what
// returned is held for a while).
import { beforeEach, expect, test } from 'vitest'
import { failingTransact } from '../../testing/index.ts'
import { BY_KEY } from '../../testing/operations/requesters.ts'
import { type RebalancedWallet, useRebalancer } from '../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../testing/units.ts'
import type { Transact } from '../database/index.ts'
import type { Operation } from '../operations/index.ts'
import { withdraw } from './withdraw.ts'

const AAVE = 'aave-v3:polygon:USDC'
const rebalancer = useRebalancer()
let use: RebalancedWallet
beforeEach(async () => {
  use = await rebalancer.deployed({ [AAVE]: 600n * USDC })
})

const request = (amount: bigint | null, transact?: Transact<Operation>) => {
  const { organizationId, opWalletId } = use.wallet
  const target = {
    organizationId,
    opWalletId,
    strategyId: rebalancer.engine.strategy(AAVE).id,
    walletId: use.client.wallet.walletId,
    address: use.client.wallet.address,
    token: { symbol: 'USDC', decimals: 6 },
    warnings: [],
  }
  return withdraw(rebalancer.parts, { target, amount, requestedBy: BY_KEY }, transact)
}

test('a requested withdrawal is an explicit operation of the wallet, with its requester', async () => {
  expect(await request(100n * USDC)).toMatchObject({
    type: 'UNWIND',
    state: 'EXECUTING',
    origin: 'explicit',
    amount: 100n * USDC,
    opWalletId: use.wallet.opWalletId,
    requestedBy: BY_KEY,
  })
})

test('a withdrawal of the whole position has its value, and no amount', async () => {
  const { amount, plannedValue } = await request(null)
  expect(amount).toBeNull()
  expect(plannedValue).toBeGreaterThanOrEqual(600n * USDC - 1n)
})

test('more than the position holds is refused, and nothing is planned', async () => {
  await expect(request(601n * USDC)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  expect(await rebalancer.operationsOf(use)).toEqual([])
})

test('a withdrawal commits with what its caller commits, or not at all', async () => {
  const transact = failingTransact<Operation>(rebalancer.engine.db, 'the response could not be stored')
  await expect(request(100n * USDC, transact)).rejects.toThrow('could not be stored')
  expect(await rebalancer.operationsOf(use)).toEqual([])
})
