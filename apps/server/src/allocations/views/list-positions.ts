import type { Database } from '../../database/index.ts'
import type { Scope } from '../../identity/index.ts'
import { selectWallets, type WalletFilter } from '../../wallets/index.ts'
import { type PostedPosition, presentValue } from '../positions/present-value.ts'
import { type WithdrawableAt, withdrawableOf } from '../positions/withdrawable.ts'

/** An open position with its current value, as the v1 surface presents it (spec 2.3). Amounts in base units. */
export interface PositionView {
  readonly strategyId: number
  readonly strategyName: string
  readonly venueId: number
  readonly venueName: string
  readonly walletId: number
  /** `null`: the wallet is not an operational wallet for the token. */
  readonly opWalletId: number | null
  readonly walletAddress: string
  readonly blockchain: string
  readonly token: string
  readonly tokenAddress: string
  readonly principal: bigint
  readonly currentValue: bigint
  /** Unrealized; may be negative by a rounding unit right after a deposit. */
  readonly yieldEarned: bigint
  readonly apy: number
  readonly lastUpdated: Date
  readonly withdrawable: WithdrawableAt | null
}

/** The owner of the positions, by exactly one identifier, and optionally one chain, strategy or venue. */
export interface PositionFilter {
  readonly wallets: WalletFilter
  readonly blockchain?: string | undefined
  readonly strategyId?: number | undefined
  readonly venueId?: number | undefined
}

export interface PositionList {
  /**
   * Whether the identifier matches any wallet within the scope: "no position" and "no wallet" are different results.
   */
  readonly walletExists: boolean
  readonly positions: PositionView[]
}

/** Open positions, newest first, valued at the latest price reading. One statement. */
export async function listPositions(db: Database, scope: Scope, filter: PositionFilter): Promise<PositionList> {
  const rows = await selectWallets(db, scope, filter.wallets)
    .leftJoin(
      (from) => {
        let open = from
          .selectFrom('allocations')
          .innerJoin('strategies', 'strategies.id', 'allocations.strategy_id')
          .innerJoin('venues', 'venues.id', 'strategies.venue_id')
          .leftJoin('operational_wallets', (on) =>
            on
              .onRef('operational_wallets.organization_id', '=', 'allocations.organization_id')
              .onRef('operational_wallets.wallet_id', '=', 'allocations.wallet_id')
              .onRef('operational_wallets.token_address', '=', 'strategies.token_address'),
          )
          .where('allocations.organization_id', '=', scope.organizationId)
          .where('allocations.status', '<>', 'CLOSED')
        if (filter.blockchain !== undefined) open = open.where('strategies.blockchain', '=', filter.blockchain)
        if (filter.strategyId !== undefined) open = open.where('strategies.id', '=', filter.strategyId)
        if (filter.venueId !== undefined) open = open.where('venues.id', '=', filter.venueId)
        return open
          .select([
            'allocations.id as allocation_id',
            'allocations.wallet_id',
            'allocations.strategy_id',
            'allocations.shares',
            'allocations.principal',
            'allocations.posted_price',
            'allocations.posted_value',
            'allocations.posted_at',
            'allocations.withdrawable',
            'allocations.withdrawable_at',
            'strategies.name as strategy_name',
            'strategies.protocol',
            'strategies.token',
            'strategies.token_address',
            'strategies.apy',
            'strategies.price',
            'strategies.price_at',
            'venues.id as venue_id',
            'venues.name as venue_name',
            'operational_wallets.id as op_wallet_id',
          ])
          .as('open')
      },
      (join) => join.onRef('open.wallet_id', '=', 'wallets.id'),
    )
    .selectAll('open')
    .select(['wallets.id', 'wallets.address', 'wallets.blockchain'])
    .orderBy('open.allocation_id', 'desc')
    .execute()
  const positions = rows
    .flatMap((row) => (row.allocation_id === null ? [] : [toPositionView(row as OpenPositionRow)]))
    .filter(hasVisibleValue)
  return { walletExists: rows.length > 0, positions }
}

/** A joined row with a position. */
interface OpenPositionRow extends PostedPosition {
  id: number
  op_wallet_id: number | null
  address: string
  blockchain: string
  strategy_id: number
  strategy_name: string
  venue_id: number
  venue_name: string
  token: string
  token_address: string
  principal: bigint
  apy: number
  withdrawable: bigint | null
  withdrawable_at: Date | null
}

/**
 * Shares are finer than the token: withdrawing an amount to the last unit can leave shares that are worth nothing. They
 * stay in the ledger and are visible again if they ever grow to one unit.
 */
function hasVisibleValue({ currentValue, principal }: PositionView): boolean {
  return currentValue !== 0n || principal !== 0n
}

function toPositionView(row: OpenPositionRow): PositionView {
  const { value: currentValue, at } = presentValue(row)
  return {
    strategyId: row.strategy_id,
    strategyName: row.strategy_name,
    venueId: row.venue_id,
    venueName: row.venue_name,
    walletId: row.id,
    opWalletId: row.op_wallet_id,
    walletAddress: row.address,
    blockchain: row.blockchain,
    token: row.token,
    tokenAddress: row.token_address,
    principal: row.principal,
    currentValue,
    yieldEarned: currentValue - row.principal,
    apy: row.apy,
    lastUpdated: at,
    withdrawable: withdrawableOf(row, currentValue),
  }
}
