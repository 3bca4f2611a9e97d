import type { AllocationStatus, Database, Tx } from '../../database/index.ts'
import type { OpenStatus } from '../positions/allocation-states.ts'
import { type PostedPosition, presentValue } from '../positions/present-value.ts'
import { type WithdrawableAt, withdrawableOf } from '../positions/withdrawable.ts'
import { SUBJECT_COLUMNS, type Subject, subjectOf } from './subject.ts'

/** The fields that a view has in every status. */
interface AllocationFields extends Subject {
  readonly allocationId: number
  /** The operational wallet for this token of the wallet; `null` if there is none. */
  readonly opWalletId: number | null
  /** The amount deposited and not withdrawn. */
  readonly principal: bigint
  readonly currentValue: bigint
  /** Unrealized yield, of the remaining shares. */
  readonly yieldEarned: bigint
  readonly realizedYield: bigint
  /** The strategy's current rate, as a decimal fraction. */
  readonly apy: number
  /** By the chain's clock, like the other times. */
  readonly openedAt: Date
  /** When its value was read. */
  readonly lastUpdatedAt: Date
}

/** `withdrawable`: what the owner could withdraw at the last reading; `null` before the first. */
type OpenAllocationView = AllocationFields & {
  readonly status: OpenStatus
  readonly withdrawable: WithdrawableAt | null
}

type ClosedAllocationView = AllocationFields & { readonly status: 'CLOSED'; readonly closedAt: Date }

/** An allocation as the core surface presents it (contract 7). Amounts in base units of its token. */
export type AllocationView = OpenAllocationView | ClosedAllocationView

/** The end of the time in which it earned: its close, or the last reading. */
export const earnedUntil = (allocation: AllocationView): Date =>
  allocation.status === 'CLOSED' ? allocation.closedAt : allocation.lastUpdatedAt

/** Allocations of an organization with every column that {@link toAllocationView} reads. */
export function selectAllocations(db: Database | Tx, organizationId: number) {
  return db
    .selectFrom('allocations')
    .innerJoin('wallets', (join) =>
      join
        .onRef('wallets.organization_id', '=', 'allocations.organization_id')
        .onRef('wallets.id', '=', 'allocations.wallet_id'),
    )
    .innerJoin('strategies', 'strategies.id', 'allocations.strategy_id')
    .innerJoin('venues', 'venues.id', 'strategies.venue_id')
    .leftJoin('operational_wallets', (join) =>
      join
        .onRef('operational_wallets.organization_id', '=', 'allocations.organization_id')
        .onRef('operational_wallets.wallet_id', '=', 'allocations.wallet_id')
        .onRef('operational_wallets.token_address', '=', 'strategies.token_address'),
    )
    .where('allocations.organization_id', '=', organizationId)
    .selectAll('allocations')
    .select([
      ...SUBJECT_COLUMNS,
      'operational_wallets.id as op_wallet_id',
      'strategies.apy',
      'strategies.price',
      'strategies.price_at',
    ])
}

/** A row of that selection. */
export type AllocationRow = Awaited<ReturnType<ReturnType<typeof selectAllocations>['execute']>>[number]

export function toAllocationView(row: AllocationRow): AllocationView {
  const { value, at } = currentValueOf(row)
  const { status } = row
  const fields = {
    allocationId: row.id,
    opWalletId: row.op_wallet_id,
    ...subjectOf(row),
    principal: row.principal,
    currentValue: value,
    yieldEarned: value - row.principal,
    realizedYield: row.realized_yield,
    apy: row.apy,
    openedAt: row.opened_at,
    lastUpdatedAt: at,
  }
  return status === 'CLOSED'
    ? { ...fields, status, closedAt: row.closed_at! }
    : { ...fields, status, withdrawable: withdrawableOf(row, value) }
}

/** A closed allocation is worth nothing from the moment of its close. */
function currentValueOf(row: PostedPosition & { readonly status: AllocationStatus }): { value: bigint; at: Date } {
  return row.status === 'CLOSED' ? { value: 0n, at: row.posted_at } : presentValue(row)
}
