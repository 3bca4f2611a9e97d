import type { Database } from '../../database/index.ts'
import { type AllocationView, selectAllocations, toAllocationView } from './allocation-view.ts'

/** The position of one wallet in one strategy at a moment of the chain's clock; `undefined` without one. */
export async function allocationAt(
  db: Database,
  organizationId: number,
  { walletId, strategyId, at }: { walletId: number; strategyId: number; at: Date },
): Promise<AllocationView | undefined> {
  const row = await selectAllocations(db, organizationId)
    .where('allocations.wallet_id', '=', walletId)
    .where('allocations.strategy_id', '=', strategyId)
    .where('allocations.opened_at', '<=', at)
    .where(({ or, eb }) => or([eb('allocations.closed_at', 'is', null), eb('allocations.closed_at', '>', at)]))
    .orderBy('allocations.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toAllocationView(row)
}
