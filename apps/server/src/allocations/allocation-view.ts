import type { AllocationStatus, Database, Tx } from '../database/index.ts'
import { type PostedPosition, presentValue } from './present-value.ts'

/** An allocation as the core surface shows it (decisions 7). Amounts in base units of its token. */
export interface AllocationView {
  readonly allocationId: number
  readonly status: AllocationStatus
  /** Of the operational wallet that watches this token of the wallet; `null` when nobody does. */
  readonly opWalletId: number | null
  readonly walletId: number
  readonly walletAddress: string
  readonly blockchain: string
  readonly strategyId: number
  readonly strategyName: string
  readonly venueName: string
  readonly protocol: string
  readonly token: string
  readonly tokenAddress: string
  readonly tokenDecimals: number
  /** What was put in and not taken out again. */
  readonly principal: bigint
  readonly currentValue: bigint
  /** Unrealized: of what is still there. */
  readonly yieldEarned: bigint
  readonly realizedYield: bigint
  /** The strategy's rate now, as a decimal fraction. */
  readonly apy: number
  /** By the chain's clock, as `lastUpdatedAt`. */
  readonly openedAt: Date
  readonly closedAt: Date | null
  /** When its value was read, by the chain's clock. */
  readonly lastUpdatedAt: Date
}

/** Allocations of an organization with everything that {@link allocationViewOf} reads. */
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
      'operational_wallets.id as op_wallet_id',
      'wallets.address',
      'wallets.blockchain',
      'strategies.name as strategy_name',
      'strategies.protocol',
      'strategies.token',
      'strategies.token_address',
      'strategies.token_decimals',
      'strategies.apy',
      'strategies.price',
      'strategies.price_at',
      'venues.name as venue_name',
    ])
}

/** A row of such a selection. */
export type AllocationRow = Awaited<ReturnType<ReturnType<typeof selectAllocations>['execute']>>[number]

export function allocationViewOf(row: AllocationRow): AllocationView {
  const { value, at } = worthOf(row)
  return {
    allocationId: row.id,
    status: row.status,
    opWalletId: row.op_wallet_id,
    walletId: row.wallet_id,
    walletAddress: row.address,
    blockchain: row.blockchain,
    strategyId: row.strategy_id,
    strategyName: row.strategy_name,
    venueName: row.venue_name,
    protocol: row.protocol,
    token: row.token,
    tokenAddress: row.token_address,
    tokenDecimals: row.token_decimals,
    principal: row.principal,
    currentValue: value,
    yieldEarned: value - row.principal,
    realizedYield: row.realized_yield,
    apy: row.apy,
    openedAt: row.opened_at,
    closedAt: row.closed_at,
    lastUpdatedAt: at,
  }
}

/** A closed one is worth nothing any more, since the moment that closed it. */
function worthOf(row: PostedPosition & { readonly status: AllocationStatus }): { value: bigint; at: Date } {
  return row.status === 'CLOSED' ? { value: 0n, at: row.posted_at } : presentValue(row)
}
