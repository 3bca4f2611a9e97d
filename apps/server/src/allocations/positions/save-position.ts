import { sql } from 'kysely'
import { type BatchedCall, emit, type Tx } from '../../database/index.ts'
import { type OpenAllocation, openAllocationFrom } from './allocation.ts'
import type { AllocationEventData } from './allocation-event-payloads.ts'
import { EMPTY_POSITION, type Position } from './position.ts'
import {
  type AllocationAmounts,
  type AllocationUpdate,
  insertAllocations,
  updateAllocations,
} from './write-allocation.ts'

/** The time of a chain reading: the block's time by the chain's clock, and the service's own time. */
export interface ReadingTime {
  readonly chainTime: Date
  /** When the price was in force, if that is later than the block. */
  readonly pricedAt?: Date | undefined
  readonly at: Date
}

/** A position by its wallet and strategy. */
export interface PositionKey {
  readonly wallet: { readonly organizationId: number; readonly walletId: number }
  readonly strategyId: number
}

/** The open allocations of positions, in their order, in one statement. The caller holds the wallets' locks. */
export async function findOpenAllocations(
  tx: Tx,
  keys: readonly PositionKey[],
): Promise<(OpenAllocation | undefined)[]> {
  const rows = await tx
    .selectFrom('allocations')
    .selectAll()
    .where(
      sql<boolean>`(organization_id, wallet_id, strategy_id) in (select * from unnest(
        ${keys.map(({ wallet }) => wallet.organizationId)}::bigint[],
        ${keys.map(({ wallet }) => wallet.walletId)}::bigint[],
        ${keys.map(({ strategyId }) => strategyId)}::bigint[]))`,
    )
    .where('status', '<>', 'CLOSED')
    .execute()
  const byPosition = new Map(rows.map((row) => [`${row.wallet_id} ${row.strategy_id}`, openAllocationFrom(row)]))
  return keys.map(({ wallet, strategyId }) => byPosition.get(`${wallet.walletId} ${strategyId}`))
}

/** {@link findOpenAllocations}, for one of several works. */
export const FIND_ALLOCATION: BatchedCall<PositionKey, OpenAllocation | undefined> = { run: findOpenAllocations }

export function currentPosition(allocation: OpenAllocation | undefined): Position {
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
  readonly before: OpenAllocation | undefined
  readonly position: Position
  readonly time: ReadingTime
  /** Something that was requested back is not claimed: the allocation stays open without a share. */
  readonly isExiting?: boolean
}

/**
 * Stores different positions, and returns the results in order: opens the allocation if there was none, closes it when
 * no share is left and nothing is exiting. A closed allocation keeps its history and is never reopened; a new deposit
 * opens a new one. Emits both changes (contract 12). Those that open, stay open and close take one statement each.
 */
async function savePositions(tx: Tx, updates: readonly PositionUpdate[]): Promise<SavePositionResult[]> {
  const opening = updates.filter(({ before }) => !before)
  const ids = await insertAllocations(
    tx,
    opening.map((update) => ({ ...update, amounts: amountsOf(update), openedAt: update.time.chainTime })),
  )
  const openedIds = new Map(opening.map((update, index) => [update, ids[index]!]))
  await updateAllocations(
    tx,
    updates.flatMap((update): AllocationUpdate[] => {
      const { before, time } = update
      const amounts = amountsOf(update)
      if (!isEmptied(update)) return before ? [{ allocation: before, amounts }] : []
      const { organizationId } = update.wallet
      const opened = { organizationId, allocationId: openedIds.get(update)! }
      return [{ allocation: before ?? opened, amounts, emptiedAt: time.chainTime }]
    }),
  )
  const saved = updates.map((update): SavePositionResult => {
    const { before } = update
    if (!before) return { allocationId: openedIds.get(update)!, change: 'opened' }
    return { allocationId: before.allocationId, change: isEmptied(update) ? 'closed' : 'kept' }
  })
  await emitChanges(
    tx,
    updates.flatMap((update, index) => {
      const { allocationId, change } = saved[index]!
      if (change === 'kept') return []
      const event = change === 'opened' ? ('allocation.created' as const) : ('allocation.closed' as const)
      return [{ ...update, allocationId, event }]
    }),
  )
  return saved
}

/** {@link savePositions}, for one of several works. */
export const SAVE_POSITION: BatchedCall<PositionUpdate, SavePositionResult> = { run: savePositions }

const isEmptied = ({ position, isExiting = false }: PositionUpdate): boolean => position.shares === 0n && !isExiting

const amountsOf = ({ before, position, time }: PositionUpdate): AllocationAmounts => ({
  shares: position.shares,
  principal: position.shares === 0n ? 0n : position.principal,
  posted_value: position.value,
  posted_price: position.price,
  // A block that is settled late may be earlier than the last posting: time never runs backwards in the ledger.
  posted_at: latestOf(before?.postedAt, time.pricedAt, time.chainTime),
  realized_yield: position.realizedYield,
  updated_at: time.at,
})

const latestOf = (...times: readonly (Date | undefined)[]): Date =>
  new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)))

interface AllocationChange {
  readonly wallet: { organizationId: number; walletId: number }
  readonly strategyId: number
  readonly allocationId: number
  readonly event: 'allocation.created' | 'allocation.closed'
  readonly position: Position
  readonly time: ReadingTime
}

async function emitChanges(tx: Tx, changes: readonly AllocationChange[]): Promise<void> {
  if (changes.length === 0) return
  await emit(
    tx,
    changes.map(({ wallet: { organizationId, walletId }, strategyId, allocationId, event, position, time }) => {
      const data: AllocationEventData = {
        allocationId,
        walletId,
        strategyId,
        principal: position.principal.toString(),
        realizedYield: position.realizedYield.toString(),
      }
      return { organizationId, event, objectType: 'allocation', objectId: allocationId, data, at: time.at }
    }),
  )
}
