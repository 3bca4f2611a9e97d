import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import type { Schema, Tx } from '../../database/index.ts'
import { assert } from '../../kernel/index.ts'
import type { OpenAllocation } from './allocation.ts'
import { type AllocationEvent, OPENING_STATUS, statusChange } from './allocation-states.ts'

/** The columns of a position; the status belongs to this file. */
export type AllocationAmounts = Pick<
  Insertable<Schema['allocations']>,
  'shares' | 'principal' | 'posted_value' | 'posted_price' | 'posted_at' | 'realized_yield' | 'updated_at'
>

/** Events that move an allocation without touching its amounts. */
type UnwindEvent = Extract<AllocationEvent, 'unwind_planned' | 'unwind_ended' | 'exiting'>

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

/** Opens allocations of different wallets or strategies, and returns their ids in order. `openedAt`: by the chain's clock. */
export async function insertAllocations(tx: Tx, opened: readonly NewAllocation[]): Promise<number[]> {
  if (opened.length === 0) return []
  const rows = await tx
    .insertInto('allocations')
    .values(
      opened.map(({ wallet: { organizationId, walletId }, strategyId, amounts, openedAt }) => ({
        organization_id: organizationId,
        wallet_id: walletId,
        strategy_id: strategyId,
        status: OPENING_STATUS,
        ...amounts,
        opened_at: openedAt,
      })),
    )
    .returning(['id', 'wallet_id', 'strategy_id'])
    .execute()
  const ids = new Map(rows.map(({ id, wallet_id, strategy_id }) => [`${wallet_id} ${strategy_id}`, id]))
  return opened.map(({ wallet, strategyId }) => ids.get(`${wallet.walletId} ${strategyId}`)!)
}

export interface AllocationUpdate {
  readonly allocation: Pick<OpenAllocation, 'organizationId' | 'allocationId'>
  readonly amounts: AllocationAmounts
}

/** Writes the amounts of allocations that stay open, in one statement. */
export async function updateAllocations(tx: Tx, updates: readonly AllocationUpdate[]): Promise<void> {
  if (updates.length === 0) return
  const of = <K extends keyof AllocationAmounts>(column: K) => updates.map(({ amounts }) => amounts[column])
  await sql`
    update allocations a set shares = u.shares, principal = u.principal, posted_value = u.posted_value,
      posted_price = u.posted_price, posted_at = u.posted_at, realized_yield = u.realized_yield,
      updated_at = u.updated_at
    from unnest(${updates.map(({ allocation }) => allocation.organizationId)}::bigint[],
      ${updates.map(({ allocation }) => allocation.allocationId)}::bigint[],
      ${of('shares')}::numeric[], ${of('principal')}::numeric[], ${of('posted_value')}::numeric[],
      ${of('posted_price')}::numeric[], ${of('posted_at')}::timestamptz[], ${of('realized_yield')}::numeric[],
      ${of('updated_at')}::timestamptz[])
      as u(organization_id, id, shares, principal, posted_value, posted_price, posted_at, realized_yield, updated_at)
    where a.organization_id = u.organization_id and a.id = u.id
  `.execute(tx)
}

/** Writes the amounts of an allocation, and closes it at `emptiedAt` when no share is left. */
export async function updateAllocation(
  tx: Tx,
  { organizationId, allocationId }: Pick<OpenAllocation, 'organizationId' | 'allocationId'>,
  amounts: Updateable<AllocationAmounts>,
  emptiedAt: Date | undefined,
): Promise<void> {
  const { from, to } = statusChange('emptied')
  const { numUpdatedRows } = await tx
    .updateTable('allocations')
    .set({ ...amounts, ...(emptiedAt && { status: to, closed_at: emptiedAt }) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', allocationId)
    .where('status', 'in', from)
    .executeTakeFirstOrThrow()
  assert(numUpdatedRows === 1n, 'only an open allocation has a position')
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
  // Without shares an allocation is open only because of an exit, and it stays UNWINDING until that is claimed.
  const condition = event === 'unwind_ended' ? sql`and a.shares > 0` : sql``
  return sql`update allocations a set status = ${to} from (${positions}) as position(wallet_id, strategy_id)
    where a.organization_id = ${organizationId} and a.wallet_id = position.wallet_id
      and a.strategy_id = position.strategy_id and a.status = any(${[...from]}::text[]) ${condition}`
}

/** An allocation that was closed, and the value that the ledger still holds for it. */
interface LostAllocation {
  readonly strategyId: number
  readonly tokenAddress: string
  readonly value: bigint
}

/**
 * Closes every open allocation of a wallet whose development chain is gone, and returns them; the yield up to then
 * stays earned. The caller holds the wallet's lock.
 */
export async function closeAllocationsOfLostChain(
  tx: Tx,
  { organizationId, walletId }: WalletKey,
  at: Date,
): Promise<LostAllocation[]> {
  const { from, to } = statusChange('chain_reset')
  const lost = await tx
    .selectFrom('allocations')
    .innerJoin('strategies', 'strategies.id', 'allocations.strategy_id')
    .select(['strategy_id as strategyId', 'token_address as tokenAddress', 'posted_value as value'])
    .where('organization_id', '=', organizationId)
    .where('wallet_id', '=', walletId)
    .where('allocations.status', 'in', from)
    .orderBy('strategy_id')
    .execute()
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
  return lost
}
