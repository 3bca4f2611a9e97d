import { type Allocation, advanceAllocation, savePosition } from '../../allocations/index.ts'
import { UNFINISHED } from '../lifecycle/operation-states.ts'
import type { SettlementContext } from './settlement-context.ts'

type PositionToSave = Parameters<typeof savePosition>[1]['position']

/**
 * Saves a settled position and returns its allocation's id. Withdrawals are planned from the chain's state, so a
 * position may already be unwinding when the ledger first records it.
 */
export async function saveSettledPosition(
  { tx, block, snapshot, at }: SettlementContext,
  strategyId: number,
  before: Allocation | undefined,
  position: PositionToSave,
): Promise<number> {
  const { wallet } = snapshot
  const saved = await savePosition(tx, { wallet, strategyId, before, position, time: { chainTime: block.time, at } })
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
