import { encodeFunctionData, erc20Abi } from 'viem'
import { expect, test } from 'vitest'
import { expectLedgerMatchesChain, expectValidLedger } from '../../../../testing/ledger/expect-ledger.ts'
import { anyState } from '../../../../testing/operations/any-state.ts'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { USDC } from '../../../../testing/units.ts'
import { venueFor } from '../../../venues/index.ts'

const use = useEngine()

test('external shares that a withdrawal in the same block withdraws count as principal, not yield', async () => {
  const strategy = use.engine.strategy('aave-v3:polygon:USDC')
  const donor = await use.engine.client()
  await use.engine.settle()
  await donor.complete(await donor.supply(900n * USDC))
  await use.client.complete(await use.client.supply(100n * USDC))
  const plan = await use.client.unwind('full')
  await use.dev.withoutMining(async () => {
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [use.client.address, 890n * USDC],
    })
    const share = venueFor(strategy.protocol).shareToken(strategy)
    await use.dev.call(donor.account, share, data)
    await use.client.submitAll(plan)
  })
  await use.engine.settle()

  const { settledAmount } = anyState(await use.client.operation(plan))
  // Aave rounds each movement by up to a unit, and may have earned nothing yet.
  expect(settledAmount).toBeGreaterThanOrEqual(990n * USDC - 3n)
  const { status, realized_yield: realized } = await use.engine.db
    .selectFrom('allocations')
    .select(['status', 'realized_yield'])
    .where('wallet_id', '=', use.client.wallet.walletId)
    .executeTakeFirstOrThrow()
  expect(status).toBe('CLOSED')
  expect(realized).toBeLessThan(USDC)
  const { yield: posted } = await use.engine.db
    .selectFrom('ledger_balances')
    .select('yield')
    .where('wallet_id', '=', use.client.wallet.walletId)
    .where('token_address', '=', strategy.tokenAddress)
    .executeTakeFirstOrThrow()
  expect(posted).toBe(-realized)
  await expectValidLedger(use.engine)
  await expectLedgerMatchesChain(use.engine)
})
