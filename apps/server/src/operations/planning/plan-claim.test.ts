// Also tested in: allocations/exits/follow-exits.test.ts (from request to claim), allocations/exits/late-exits.test.ts
// (claims that land late), operations/planning/plan-from-chain.test.ts (what every plan from the chain holds).
import { expect, test } from 'vitest'
import { BY_KEY } from '../../../testing/operations/requesters.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { USDC } from '../../../testing/units.ts'
import { planClaim, readClaim } from './plan-claim.ts'

const QUEUE = 'erc7540:polygon:USDC'
const AAVE = 'aave-v3:polygon:USDC'
const use = useEngine()

const claim = (key: string) =>
  planClaim(use.engine.parts, {
    scope: use.client.scope,
    walletId: use.client.wallet.walletId,
    strategyId: use.engine.strategy(key).id,
    requestedBy: BY_KEY,
  })
const claimable = (most?: bigint) => readClaim(use.engine.chain, use.engine.strategy(QUEUE), use.client, most)
const NOTHING = { code: 'ALLOCATION_NOT_FOUND', details: { reason: 'nothing_claimable' } }

/** A withdrawal that was requested and has been paid into the vault's escrow. */
async function requested(amount: bigint): Promise<void> {
  await use.client.complete(await use.client.supply(600n * USDC, QUEUE))
  await use.client.complete(await use.client.unwind(amount, QUEUE))
  await expect(claim(QUEUE)).rejects.toMatchObject(NOTHING)
  await use.dev.setStrategyState(QUEUE, { pendingExits: 'settle' })
  await use.engine.settle()
}

test('a claim takes all that is claimable, in one transaction, once', async () => {
  await requested(250n * USDC)
  const { worth } = (await claimable())!
  const planned = await claim(QUEUE)
  expect(planned).toMatchObject({ type: 'UNWIND', state: 'EXECUTING', plannedValue: worth })
  expect(planned.transactions.map(({ kind }) => kind)).toEqual(['exit_claim'])
  expect(await use.client.complete(planned)).toMatchObject({ state: 'COMPLETED', settledAmount: worth })
  await expect(claim(QUEUE)).rejects.toMatchObject(NOTHING)
})

test('a part can be claimed up to what is claimable', async () => {
  await requested(250n * USDC)
  const { worth } = (await claimable())!
  expect(await claimable(worth - 1n)).toMatchObject({ worth: worth - 1n })
  expect(await claimable(worth + 1n)).toBeUndefined()
})

test('a strategy that pays at once has nothing to claim', async () => {
  await use.client.complete(await use.client.supply(600n * USDC, AAVE))
  await expect(claim(AAVE)).rejects.toMatchObject(NOTHING)
})
