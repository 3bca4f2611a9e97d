import { emit, type Tx } from '../../database/index.ts'
import { type Allocation, allocationFrom } from './allocation.ts'
import type { AllocationEventData } from './allocation-event-payloads.ts'
import { EMPTY_POSITION, type Position } from './position.ts'

/** A reading of the chain: the block's time by the chain's clock, and the service's own. */
export interface ReadingTime {
  readonly chainTime: Date
  readonly at: Date
}

/** The open allocation of a wallet in a strategy, if there is one. The caller holds the wallet's lock. */
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

/**
 * Writes a position back: opens the allocation when there was none, closes it when no share is left. A closed
 * allocation keeps its history and is never opened again; a new deposit opens a new one. Both are told (contract 12).
 */
export async function savePosition(
  tx: Tx,
  wallet: { organizationId: number; walletId: number },
  strategyId: number,
  before: Allocation | undefined,
  position: Position,
  time: ReadingTime,
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
  if (!before) {
    const row = await tx
      .insertInto('allocations')
      .values({
        organization_id: wallet.organizationId,
        wallet_id: wallet.walletId,
        strategy_id: strategyId,
        status: closed ? 'CLOSED' : 'ACTIVE',
        ...amounts,
        opened_at: time.chainTime,
        closed_at: closed ? time.chainTime : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await emitChange(tx, wallet, strategyId, row.id, 'allocation.created', position, time)
    return { allocationId: row.id, change: 'opened' }
  }
  await tx
    .updateTable('allocations')
    .set({ ...amounts, ...(closed ? { status: 'CLOSED' as const, closed_at: time.chainTime } : {}) })
    .where('organization_id', '=', wallet.organizationId)
    .where('id', '=', before.allocationId)
    .execute()
  if (closed) await emitChange(tx, wallet, strategyId, before.allocationId, 'allocation.closed', position, time)
  return { allocationId: before.allocationId, change: closed ? 'closed' : 'kept' }
}

async function emitChange(
  tx: Tx,
  wallet: { organizationId: number; walletId: number },
  strategyId: number,
  allocationId: number,
  event: 'allocation.created' | 'allocation.closed',
  position: Position,
  { at }: ReadingTime,
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

/** UNWINDING from the moment an unwind is planned until that operation ends; then ACTIVE again, unless it closed. */
export async function markUnwinding(
  tx: Tx,
  wallet: { organizationId: number; walletId: number },
  strategyId: number,
  unwinding: boolean,
): Promise<void> {
  await tx
    .updateTable('allocations')
    .set({ status: unwinding ? 'UNWINDING' : 'ACTIVE' })
    .where('organization_id', '=', wallet.organizationId)
    .where('wallet_id', '=', wallet.walletId)
    .where('strategy_id', '=', strategyId)
    .where('status', '=', unwinding ? 'ACTIVE' : 'UNWINDING')
    .execute()
}
