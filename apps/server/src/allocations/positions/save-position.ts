import { emit, type Tx } from '../../database/index.ts'
import { type Allocation, allocationFrom } from './allocation.ts'
import type { AllocationEventData } from './allocation-event-payloads.ts'
import { OPENING_STATUS } from './allocation-states.ts'
import { EMPTY_POSITION, type Position } from './position.ts'
import { insertAllocation, updateAllocation } from './write-allocation.ts'

/** The time of a chain reading: the block's time by the chain's clock, and the service's own time. */
export interface ReadingTime {
  readonly chainTime: Date
  readonly at: Date
}

/** The open allocation of a wallet in a strategy, if any. The caller holds the wallet's lock. */
export async function findOpenAllocation(
  tx: Tx,
  wallet: { organizationId: number; walletId: number },
  strategyId: number,
): Promise<Allocation | undefined> {
  const row = await tx
    .selectFrom('allocations')
    .selectAll()
    .where('organization_id', '=', wallet.organizationId)
    .where('wallet_id', '=', wallet.walletId)
    .where('strategy_id', '=', strategyId)
    .where('status', '<>', 'CLOSED')
    .executeTakeFirst()
  return row && allocationFrom(row)
}

export function currentPosition(allocation: Allocation | undefined): Position {
  return allocation?.position ?? EMPTY_POSITION
}

export interface SavePositionResult {
  readonly allocationId: number
  readonly change: 'opened' | 'closed' | 'kept'
}

export interface PositionUpdate {
  readonly wallet: { organizationId: number; walletId: number }
  readonly strategyId: number
  /** Undefined: the wallet has no open position there. */
  readonly before: Allocation | undefined
  readonly position: Position
  readonly time: ReadingTime
}

/**
 * Stores a position: opens the allocation if there was none, closes it when no share is left. A closed allocation keeps
 * its history and is never reopened; a new deposit opens a new one. Emits both changes (contract 12).
 */
export async function savePosition(
  tx: Tx,
  { wallet, strategyId, before, position, time }: PositionUpdate,
): Promise<SavePositionResult> {
  const closed = position.shares === 0n
  const amounts = {
    shares: position.shares,
    principal: closed ? 0n : position.principal,
    posted_value: position.value,
    posted_price: position.price,
    posted_at: time.chainTime,
    realized_yield: position.realizedYield,
    updated_at: time.at,
  }
  const emptiedAt = closed ? time.chainTime : undefined
  if (!before) {
    const allocationId = await insertAllocation(tx, { wallet, strategyId, amounts, openedAt: time.chainTime })
    if (closed) {
      const opened = { organizationId: wallet.organizationId, allocationId, status: OPENING_STATUS }
      await updateAllocation(tx, opened, amounts, emptiedAt)
    }
    await emitChange(tx, { wallet, strategyId, allocationId, event: 'allocation.created', position, time })
    return { allocationId, change: 'opened' }
  }
  await updateAllocation(tx, before, amounts, emptiedAt)
  if (closed)
    await emitChange(tx, {
      wallet,
      strategyId,
      allocationId: before.allocationId,
      event: 'allocation.closed',
      position,
      time,
    })
  return { allocationId: before.allocationId, change: closed ? 'closed' : 'kept' }
}

interface AllocationChange {
  readonly wallet: { organizationId: number; walletId: number }
  readonly strategyId: number
  readonly allocationId: number
  readonly event: 'allocation.created' | 'allocation.closed'
  readonly position: Position
  readonly time: ReadingTime
}

async function emitChange(
  tx: Tx,
  { wallet, strategyId, allocationId, event, position, time: { at } }: AllocationChange,
): Promise<void> {
  const { organizationId, walletId } = wallet
  const data: AllocationEventData = {
    allocationId,
    walletId,
    strategyId,
    principal: position.principal.toString(),
    realizedYield: position.realizedYield.toString(),
  }
  await emit(tx, [{ organizationId, event, objectType: 'allocation', objectId: allocationId, data, at }])
}
