import {
  ADVANCE_ALLOCATION,
  findOpenExit,
  type OpenAllocation,
  type PositionUpdate,
  SAVE_POSITION,
} from '../../../allocations/index.ts'
import { HAS_UNWIND } from './settlement-calls.ts'
import type { SettlementContext } from './settlement-context.ts'

type PositionToSave = PositionUpdate['position']

/**
 * Saves a settled position and returns its allocation's id. Withdrawals are planned from the chain's state, so a
 * position may already be unwinding when the ledger first records it.
 */
export async function saveSettledPosition(
  { batcher, block, snapshot, at }: SettlementContext,
  strategyId: number,
  before: OpenAllocation | undefined,
  position: PositionToSave,
): Promise<number> {
  const { wallet } = snapshot
  const time = { chainTime: block.time, pricedAt: snapshot.pricedAt, at }
  const key = { wallet, strategyId }
  const canExit = snapshot.shares.some(({ strategy, exit }) => strategy.id === strategyId && exit !== undefined)
  const isExiting = position.shares === 0n && canExit && (await findOpenExit(batcher, key)) !== undefined
  const saved = await batcher.call(SAVE_POSITION, { wallet, strategyId, before, position, time, isExiting })
  if (saved.change === 'opened') {
    if (await batcher.call(HAS_UNWIND, key)) await batcher.call(ADVANCE_ALLOCATION, { ...key, event: 'unwind_planned' })
  }
  if (isExiting) await batcher.call(ADVANCE_ALLOCATION, { ...key, event: 'exiting' })
  // Only an exit kept it open, and it earns again.
  if (before?.position.shares === 0n && position.shares > 0n && !(await batcher.call(HAS_UNWIND, key)))
    await batcher.call(ADVANCE_ALLOCATION, { ...key, event: 'unwind_ended' })
  return saved.allocationId
}
