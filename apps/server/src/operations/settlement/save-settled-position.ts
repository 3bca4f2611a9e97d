import { type Allocation, advanceAllocation, type PositionUpdate } from '../../allocations/index.ts'
import { HAS_UNWIND, SAVE_POSITION } from './settlement-calls.ts'
import type { SettlementContext } from './settlement-context.ts'

type PositionToSave = PositionUpdate['position']

/**
 * Saves a settled position and returns its allocation's id. Withdrawals are planned from the chain's state, so a
 * position may already be unwinding when the ledger first records it.
 */
export async function saveSettledPosition(
  { tx, lockstep, block, snapshot, at }: SettlementContext,
  strategyId: number,
  before: Allocation | undefined,
  position: PositionToSave,
): Promise<number> {
  const { wallet } = snapshot
  const time = { chainTime: block.time, at }
  const saved = await lockstep.call(SAVE_POSITION, { wallet, strategyId, before, position, time })
  if (saved.change === 'opened') {
    if (await lockstep.call(HAS_UNWIND, { wallet, strategyId }))
      await advanceAllocation(tx, wallet, strategyId, 'unwind_planned')
  }
  return saved.allocationId
}
