import { type Insertable, type RawBuilder, sql } from 'kysely'
import { batchedEffect, type Schema, type Tx } from '../../database/index.ts'
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
  /** When no share was left, by the chain's clock: closes the allocation. */
  readonly emptiedAt?: Date
}

/** Writes the amounts of allocations: one statement for those that stay open, one for those that close. */
export async function updateAllocations(tx: Tx, updates: readonly AllocationUpdate[]): Promise<void> {
  const [closing, kept] = [updates.filter(({ emptiedAt }) => emptiedAt), updates.filter(({ emptiedAt }) => !emptiedAt)]
  await writeAmounts(tx, kept)
  await writeAmounts(tx, closing, sql`, status = ${statusChange('emptied').to}, closed_at = u.emptied_at`)
}

async function writeAmounts(
  tx: Tx,
  updates: readonly AllocationUpdate[],
  more: RawBuilder<unknown> = sql``,
): Promise<void> {
  if (updates.length === 0) return
  const { from } = statusChange('emptied')
  const of = <K extends keyof AllocationAmounts>(column: K) => updates.map(({ amounts }) => amounts[column])
  const { numAffectedRows } = await sql`
    update allocations a set shares = u.shares, principal = u.principal, posted_value = u.posted_value,
      posted_price = u.posted_price, posted_at = u.posted_at, realized_yield = u.realized_yield,
      updated_at = u.updated_at ${more}
    from unnest(${updates.map(({ allocation }) => allocation.organizationId)}::bigint[],
      ${updates.map(({ allocation }) => allocation.allocationId)}::bigint[],
      ${of('shares')}::numeric[], ${of('principal')}::numeric[], ${of('posted_value')}::numeric[],
      ${of('posted_price')}::numeric[], ${of('posted_at')}::timestamptz[], ${of('realized_yield')}::numeric[],
      ${of('updated_at')}::timestamptz[], ${updates.map(({ emptiedAt }) => emptiedAt ?? null)}::timestamptz[])
      as u(organization_id, id, shares, principal, posted_value, posted_price, posted_at, realized_yield, updated_at,
        emptied_at)
    where a.organization_id = u.organization_id and a.id = u.id and a.status = any(${[...from]}::text[])
  `.execute(tx)
  assert(numAffectedRows === BigInt(updates.length), 'only an open allocation has a position')
}

/** A position, and an event of its allocation. */
export interface AllocationMove {
  readonly wallet: WalletKey
  readonly strategyId: number
  readonly event: UnwindEvent
}

/**
 * Moves the open allocations of wallets in strategies through the state machine, in one statement for each event. Does
 * nothing where there is none, or where the event does not apply to its state. The caller holds the wallets' locks.
 */
export async function advanceAllocations(tx: Tx, moves: readonly AllocationMove[]): Promise<void> {
  for (const [event, alike] of Map.groupBy(moves, (move) => move.event)) {
    const positions = sql`select * from unnest(${alike.map(({ wallet }) => wallet.organizationId)}::bigint[],
      ${alike.map(({ wallet }) => wallet.walletId)}::bigint[], ${alike.map(({ strategyId }) => strategyId)}::bigint[])`
    await advanceAllocationsSql(event, positions).execute(tx)
  }
}

/** {@link advanceAllocations}, for one of several works. */
export const ADVANCE_ALLOCATION = batchedEffect<AllocationMove>(advanceAllocations)

/** The same as part of a larger statement. `positions` is a query of organization, wallet and strategy ids. */
export function advanceAllocationsSql(event: UnwindEvent, positions: RawBuilder<unknown>): RawBuilder<unknown> {
  const { from, to } = statusChange(event)
  // Without shares an allocation is open only because of an exit, and it stays UNWINDING until that is claimed.
  const condition = event === 'unwind_ended' ? sql`and a.shares > 0` : sql``
  return sql`update allocations a set status = ${to}
    from (${positions}) as position(organization_id, wallet_id, strategy_id)
    where a.organization_id = position.organization_id and a.wallet_id = position.wallet_id
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
