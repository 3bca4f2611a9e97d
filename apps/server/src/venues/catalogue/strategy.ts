import type { Selectable } from 'kysely'
import type { CatalogueStatus, Database, Schema, Tx } from '../../database/index.ts'
import type { Strategy } from '../port.ts'
import { knowsProtocol } from '../venue-for.ts'

type Row = Selectable<Schema['strategies']> & { readonly venue_name: string }

/** Strategies with the names of their venues, in catalogue order. */
export function strategyRows(db: Database | Tx) {
  return db
    .selectFrom('strategies as s')
    .innerJoin('venues as v', 'v.id', 's.venue_id')
    .selectAll('s')
    .select('v.name as venue_name')
    .orderBy('s.id')
}

export function strategyFrom(row: Row): Strategy {
  return {
    id: row.id,
    venueId: row.venue_id,
    venueName: row.venue_name,
    key: row.key,
    name: row.name,
    protocol: row.protocol,
    blockchain: row.blockchain,
    token: row.token,
    tokenAddress: row.token_address,
    tokenDecimals: row.token_decimals,
    minDeposit: row.min_deposit,
    maxDeposit: row.max_deposit,
    status: statusOf(row),
    supportsGasSponsorship: row.supports_gas_sponsorship,
    params: row.params,
    listingSource: row.listing_source,
    apy: row.apy,
    tvl: row.tvl,
    liquidity: row.liquidity,
    price: row.price,
    deposits: row.deposit_state === null ? null : { state: row.deposit_state, room: row.deposit_room },
    withdrawals: row.withdrawal_state,
    timelockSeconds: row.timelock_seconds,
    shortfall: row.shortfall,
    entryFeeBps: row.entry_fee_bps,
    exitFeeBps: row.exit_fee_bps,
    rewardToken: row.reward_token,
  }
}

/** Nothing is deposited into a protocol that only a later version knows. */
function statusOf({ protocol, status }: Row): CatalogueStatus {
  return status === 'active' && !knowsProtocol(protocol) ? 'paused' : status
}
