import { advanceAllocation, findOpenExit, type OpenAllocation, type PositionUpdate } from '../../allocations/index.ts'
import { HAS_UNWIND, SAVE_POSITION } from './settlement-calls.ts'
import type { SettlementContext } from './settlement-context.ts'

type PositionToSave = PositionUpdate['position']

/**
 * Saves a settled position and returns its allocation's id. Withdrawals are planned from the chain's state, so a
 * position may already be unwinding when the ledger first records it.
 */
export async function saveSettledPosition(
  { tx, batcher, block, snapshot, at }: SettlementContext,
  strategyId: number,
  before: OpenAllocation | undefined,
  position: PositionToSave,
): Promise<number> {
  const { wallet } = snapshot
  const time = { chainTime: block.time, at }
  const key = { wallet, strategyId }
  const canExit = snapshot.shares.some(({ strategy, exit }) => strategy.id === strategyId && exit !== undefined)
  const isExiting = position.shares === 0n && canExit && (await findOpenExit(tx, key)) !== undefined
  const saved = await batcher.call(SAVE_POSITION, { wallet, strategyId, before, position, time, isExiting })
  if (saved.change === 'opened') {
    if (await batcher.call(HAS_UNWIND, { wallet, strategyId }))
      await advanceAllocation(tx, wallet, strategyId, 'unwind_planned')
  }
  if (isExiting) await advanceAllocation(tx, wallet, strategyId, 'exiting')
  // Only an exit kept it open, and it earns again.
  if (before?.position.shares === 0n && position.shares > 0n && !(await batcher.call(HAS_UNWIND, key)))
    await advanceAllocation(tx, wallet, strategyId, 'unwind_ended')
  return saved.allocationId
}
