import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import type { Schema, Tx } from '../../database/index.ts'
import { assert } from '../../kernel/index.ts'
import type { Allocation } from './allocation.ts'
import { type AllocationEvent, allocationTransition, OPENING_STATUS, statusChange } from './allocation-states.ts'

/** The columns of a position; the status belongs to this file. */
export type AllocationAmounts = Pick<
  Insertable<Schema['allocations']>,
  'shares' | 'principal' | 'posted_value' | 'posted_price' | 'posted_at' | 'realized_yield' | 'updated_at'
>

/** Events that move an allocation without touching its amounts. */
type UnwindEvent = Extract<AllocationEvent, 'unwind_planned' | 'unwind_ended'>

interface WalletKey {
  readonly organizationId: number
  readonly walletId: number
}

export interface NewAllocation {
  readonly wallet: WalletKey
  readonly strategyId: number
  readonly amounts: AllocationAmounts
  readonly openedAt: Date
}

/** Opens an allocation and returns its id. `openedAt`: by the chain's clock. */
export async function insertAllocation(
  tx: Tx,
  { wallet: { organizationId, walletId }, strategyId, amounts, openedAt }: NewAllocation,
): Promise<number> {
  const row = await tx
    .insertInto('allocations')
    .values({
      organization_id: organizationId,
      wallet_id: walletId,
      strategy_id: strategyId,
      status: OPENING_STATUS,
      ...amounts,
      opened_at: openedAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Writes the amounts of an allocation, and closes it at `emptiedAt` when no share is left. */
export async function updateAllocation(
  tx: Tx,
  { organizationId, allocationId, status }: Pick<Allocation, 'organizationId' | 'allocationId' | 'status'>,
  amounts: Updateable<AllocationAmounts>,
  emptiedAt: Date | undefined,
): Promise<void> {
  const transition = emptiedAt && allocationTransition(status, 'emptied')
  assert(!emptiedAt || transition, `an allocation that is ${status} cannot be emptied`)
  await tx
    .updateTable('allocations')
    .set({ ...amounts, ...(transition ? { status: transition.to, closed_at: emptiedAt } : {}) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', allocationId)
    .execute()
}

/**
 * Moves the open allocation of a wallet in a strategy through the state machine. Does nothing where there is none, or
 * where the event does not apply to its state. The caller holds the wallet's lock.
 */
export async function advanceAllocation(
  tx: Tx,
  { organizationId, walletId }: WalletKey,
  strategyId: number,
  event: UnwindEvent,
): Promise<void> {
  const position = sql`select ${walletId}::bigint, ${strategyId}::bigint`
  await advanceAllocationsSql(organizationId, event, position).execute(tx)
}

/** The same for many, as part of a larger statement. `positions` is a query of wallet and strategy ids. */
export function advanceAllocationsSql(
  organizationId: number,
  event: UnwindEvent,
  positions: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { from, to } = statusChange(event)
  return sql`update allocations a set status = ${to} from (${positions}) as position(wallet_id, strategy_id)
    where a.organization_id = ${organizationId} and a.wallet_id = position.wallet_id
      and a.strategy_id = position.strategy_id and a.status = any(${[...from]}::text[])`
}

/**
 * Closes every open allocation of a wallet whose development chain is gone; the yield up to then stays earned. The
 * caller holds the wallet's lock.
 */
export async function closeAllocationsOfLostChain(
  tx: Tx,
  { organizationId, walletId }: WalletKey,
  at: Date,
): Promise<void> {
  const { from, to } = statusChange('chain_reset')
  await tx
    .updateTable('allocations')
    .set({
      status: to,
      realized_yield: sql`realized_yield + posted_value - principal`,
      shares: 0n,
      principal: 0n,
      posted_value: 0n,
      closed_at: at,
      updated_at: at,
    })
    .where('organization_id', '=', organizationId)
    .where('wallet_id', '=', walletId)
    .where('status', 'in', from)
    .execute()
}
