import {
  applyExternalMovement,
  currentPosition,
  emitLossesAndFeesOf,
  FIND_ALLOCATION,
  lossAndFeeEntries,
  lossIn,
  wasPostedAfter,
} from '../../../allocations/index.ts'
import { POST, postings } from '../../../ledger/index.ts'
import { venueFor } from '../../../venues/index.ts'
import { saveSettledPosition } from '../shared/save-settled-position.ts'
import type { SettlementContext } from '../shared/settlement-context.ts'

/**
 * Posts a change of shares that no operation explains as an external deposit or withdrawal, which changes principal and
 * never counts as yield (rule 6).
 */
export async function reconcileShares(settlement: SettlementContext): Promise<void> {
  const { batcher, block, snapshot, at } = settlement
  const { wallet } = snapshot
  for (const { strategy, shares, price } of snapshot.shares) {
    const allocation = await batcher.call(FIND_ALLOCATION, { wallet, strategyId: strategy.id })
    const before = currentPosition(allocation)
    if (shares === undefined || before.shares === shares) continue
    const valuedAt = wasPostedAfter(allocation, block) ? before.price : (price ?? before.price)
    const moved = applyExternalMovement(before, shares, valuedAt, venueFor(strategy.protocol).valueOf)
    const allocationId = await saveSettledPosition(settlement, strategy.id, allocation, moved.position)
    const { organizationId, walletId } = wallet
    const lost = {
      organizationId,
      walletId,
      strategyId: strategy.id,
      tokenAddress: strategy.tokenAddress,
      allocationId,
      position: moved.position,
      loss: price === undefined ? 0n : lossIn(moved.yield, before.value),
      fee: 0n,
      blockNumber: block.number,
      cause: `shares:${block.hash}:${before.shares}:${shares}`,
      at,
    }
    const earned = moved.yield + lost.loss
    await emitLossesAndFeesOf(batcher, [lost])
    await batcher.call(POST, [
      {
        organizationId: wallet.organizationId,
        kind: 'external_position',
        // `find-external-posting.ts` reads it.
        source: `position:${block.hash}:${allocationId}:${before.shares}:${shares}:${valuedAt}`,
        blockNumber: block.number,
        at,
        postings: postings(wallet.walletId, strategy.tokenAddress, {
          deployed: moved.external + earned,
          external: -moved.external,
          yield: -earned,
        }),
      },
      ...lossAndFeeEntries(lost),
    ])
  }
}
