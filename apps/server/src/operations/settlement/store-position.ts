import { type Allocation, advanceAllocation, savePosition } from '../../allocations/index.ts'
import { UNFINISHED } from '../lifecycle/operation-states.ts'
import type { SettlementContext } from './settle-wallet.ts'

type StoredPosition = Parameters<typeof savePosition>[4]

/**
 * Writes a settled position back and returns its allocation's id. A withdrawal is planned from what the chain shows, so
 * a position may already be unwinding when the books first see it.
 */
export async function storePosition(
  { tx, block, snapshot, at }: SettlementContext,
  strategyId: number,
  before: Allocation | undefined,
  position: StoredPosition,
): Promise<number> {
  const { wallet } = snapshot
  const saved = await savePosition(tx, wallet, strategyId, before, position, { chainTime: block.time, at })
  if (saved.change === 'opened') {
    const unwind = await tx
      .selectFrom('operations')
      .select('id')
      .where('organization_id', '=', wallet.organizationId)
      .where('wallet_id', '=', wallet.walletId)
      .where('strategy_id', '=', strategyId)
      .where('type', '=', 'UNWIND')
      .where('state', 'in', UNFINISHED)
      .executeTakeFirst()
    if (unwind) await advanceAllocation(tx, wallet, strategyId, 'unwind_planned')
  }
  return saved.allocationId
}
