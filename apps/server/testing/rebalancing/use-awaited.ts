import { beforeEach } from 'vitest'
import { refreshWithdrawable } from '../../src/allocations/index.ts'
import { readAwaited } from '../../src/rebalancing/awaited/read-awaited.ts'
import { findWithdrawTarget } from '../../src/rebalancing/find-withdraw-target.ts'
import { withdrawPartly } from '../../src/rebalancing/withdraw-partly.ts'
import { createTestAgent } from '../agents/test-agent.ts'
import { BY_KEY } from '../operations/requesters.ts'
import { USDC } from '../units.ts'
import { type RebalancedWallet, useRebalancer } from './use-rebalancer.ts'

export const LENDING = 'erc4626:polygon:USDC:lending-markets'

/** For each test of a file: a position of 100 USDC in a vault whose tokens are all lent. */
export function useAwaited() {
  const rebalancer = useRebalancer()
  let use: RebalancedWallet
  beforeEach(async () => {
    await rebalancer.dev.setStrategyState(LENDING, { liquidity: 'return' })
    use = await rebalancer.deployed({ [LENDING]: 100n * USDC })
    await rebalancer.dev.setStrategyState(LENDING, { liquidity: 'leave' })
    // The deposit does not count as money that left the wallet after a withdrawal.
    rebalancer.engine.clock.advance(1_000)
  })

  async function target() {
    const { id } = await rebalancer.engine.db
      .selectFrom('allocations')
      .select('id')
      .where('wallet_id', '=', use.client.wallet.walletId)
      // The open one, if there is one: a deposit after the end of a position opens another.
      .orderBy((where) => where('status', '=', 'CLOSED'))
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    return findWithdrawTarget(rebalancer.parts, { organizationId: use.wallet.organizationId, allocationId: id })
  }
  return {
    rebalancer,
    use: () => use,
    target,
    /** This many whole tokens come back to the vault. */
    comeFree: (tokens: bigint) =>
      rebalancer.dev.setStrategyState(LENDING, { liquidity: 'return', amount: tokens * USDC }),
    request: async (amount: bigint | null) =>
      withdrawPartly(rebalancer.parts, { target: await target(), amount, requestedBy: BY_KEY }),
    /** The open one of the position. */
    async awaited() {
      const place = await target()
      return (await readAwaited(rebalancer.engine.db, place.organizationId, [place]))(place)
    },
    /** The states of all that the wallet ever awaited. */
    async states() {
      const { db } = rebalancer.engine
      const rows = db
        .selectFrom('awaited_withdrawals')
        .select('state')
        .where('op_wallet_id', '=', use.wallet.opWalletId)
      return (await rows.orderBy('id').execute()).map(({ state }) => state)
    },
    async carryOut(operationId: number) {
      return createTestAgent(rebalancer.engine, use.client).carryOut(await use.client.operation({ operationId }))
    },
    /** Refreshes the positions and evaluates after a while, and returns the operations that were planned since. */
    async evaluateLater(milliseconds = 300_000) {
      const before = (await rebalancer.operationsOf(use)).length
      rebalancer.engine.clock.advance(milliseconds)
      await refreshWithdrawable(rebalancer.parts, rebalancer.engine.chain, 0)
      await rebalancer.evaluateAll()
      return (await rebalancer.operationsOf(use)).slice(before)
    },
  }
}
