import { applyExternalMovement, currentPosition, findOpenAllocation } from '../../allocations/index.ts'
import { post, postings } from '../../ledger/index.ts'
import { venueFor } from '../../venues/index.ts'
import { saveSettledPosition } from './save-settled-position.ts'
import type { SettlementContext } from './settlement-context.ts'

/**
 * Posts a change of shares that no operation explains as an external deposit or withdrawal, which changes principal and
 * never counts as yield (rule 6).
 */
export async function reconcileShares(settlement: SettlementContext): Promise<void> {
  const { tx, block, snapshot, at } = settlement
  const { wallet } = snapshot
  for (const { strategy, shares, price } of snapshot.shares) {
    const allocation = await findOpenAllocation(tx, wallet, strategy.id)
    const before = currentPosition(allocation)
    if (shares === undefined || before.shares === shares) continue
    const moved = applyExternalMovement(before, shares, price ?? before.price, venueFor(strategy.protocol).valueOf)
    const allocationId = await saveSettledPosition(settlement, strategy.id, allocation, moved.position)
    await post(tx, [
      {
        organizationId: wallet.organizationId,
        kind: 'external_position',
        source: `position:${block.hash}:${allocationId}:${before.shares}:${shares}`,
        blockNumber: block.number,
        at,
        postings: postings(wallet.walletId, strategy.tokenAddress, {
          deployed: moved.external + moved.yield,
          external: -moved.external,
          yield: -moved.yield,
        }),
      },
    ])
  }
}
