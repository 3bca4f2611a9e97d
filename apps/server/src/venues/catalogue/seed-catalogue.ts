import { type Insertable, sql } from 'kysely'
import { type Database, inTransaction, type Schema, type Tx } from '../../database/index.ts'

/** A strategy to list in the catalogue. Amounts in base units of the token. */
export interface StrategySeed {
  /** Identifies the strategy forever: its id follows the key, whatever else changes. */
  readonly key: string
  readonly name: string
  readonly token: string
  readonly tokenAddress: string
  readonly tokenDecimals: number
  readonly minDeposit: bigint | null
  readonly maxDeposit: bigint | null
  readonly status: 'active' | 'paused'
  readonly supportsGasSponsorship: boolean
  /** As in `Strategy.params`. */
  readonly params: Readonly<Record<string, string>>
}

export interface VenueSeed {
  readonly key: string
  readonly name: string
  readonly protocol: string
  readonly blockchain: string
  readonly iconUrl: string | null
  readonly strategies: readonly StrategySeed[]
}

/**
 * Makes the catalogue exactly these venues and strategies. Ids follow the keys and never change. An entry that is no
 * longer listed becomes deprecated, because wallets may still hold positions there, and is revived when it returns. A
 * strategy that moved to other contracts loses its readings, because their prices are unrelated. Idempotent; processes
 * that start together may all run it.
 */
export async function seedCatalogue(db: Database, seeds: readonly VenueSeed[]): Promise<void> {
  await inTransaction(db, async (tx) => {
    // Concurrent seeding would lock rows in different orders.
    await sql`select pg_advisory_xact_lock(hashtext('weir catalogue'))`.execute(tx)
    const venueIds = await saveVenues(tx, seeds)
    const rows = seeds.flatMap((venue) => venue.strategies.map((seed) => rowOf(seed, venue, venueIds.get(venue.key)!)))
    await deleteRelocatedRates(tx, rows)
    await saveStrategies(tx, rows)
    await deprecateUnlisted(tx, new Set(venueIds.keys()), new Set(rows.map(({ key }) => key)))
  })
}

type StrategyRow = Insertable<Schema['strategies']>

function rowOf(seed: StrategySeed, venue: VenueSeed, venueId: number): StrategyRow {
  return {
    venue_id: venueId,
    key: seed.key,
    name: seed.name,
    protocol: venue.protocol,
    blockchain: venue.blockchain,
    token: seed.token,
    token_address: seed.tokenAddress,
    token_decimals: seed.tokenDecimals,
    min_deposit: seed.minDeposit,
    max_deposit: seed.maxDeposit,
    status: seed.status,
    supports_gas_sponsorship: seed.supportsGasSponsorship,
    params: JSON.stringify(seed.params),
  }
}

async function saveVenues(tx: Tx, seeds: readonly VenueSeed[]): Promise<Map<string, number>> {
  if (seeds.length === 0) return new Map()
  const rows = await tx
    .insertInto('venues')
    .values(
      seeds.map(({ key, name, protocol, blockchain, iconUrl }) => ({
        key,
        name,
        protocol,
        blockchain,
        icon_url: iconUrl,
        status: 'active' as const,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet(({ ref }) => ({
        name: ref('excluded.name'),
        protocol: ref('excluded.protocol'),
        blockchain: ref('excluded.blockchain'),
        icon_url: ref('excluded.icon_url'),
        status: ref('excluded.status'),
      })),
    )
    .returning(['id', 'key'])
    .execute()
  return new Map(rows.map(({ key, id }) => [key, id]))
}

/** Removes the readings of strategies whose contracts changed. */
async function deleteRelocatedRates(tx: Tx, rows: readonly StrategyRow[]): Promise<void> {
  await sql`
    with moved as (
      update strategies s
      set price = null, price_block = null, price_at = null, tvl = null, liquidity = null, apy = 0, rates_at = null
      from unnest(
        ${rows.map(({ key }) => key)}::text[],
        ${rows.map((row) => row.token_address)}::text[],
        ${rows.map(({ params }) => params)}::text[]
      ) as seed (key, token_address, params)
      where s.key = seed.key and (s.token_address <> seed.token_address or s.params <> seed.params::jsonb)
      returning s.id
    )
    delete from strategy_prices where strategy_id in (select id from moved)
  `.execute(tx)
}

async function saveStrategies(tx: Tx, rows: readonly StrategyRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx
    .insertInto('strategies')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet(({ ref }) => ({
        venue_id: ref('excluded.venue_id'),
        name: ref('excluded.name'),
        protocol: ref('excluded.protocol'),
        blockchain: ref('excluded.blockchain'),
        token: ref('excluded.token'),
        token_address: ref('excluded.token_address'),
        token_decimals: ref('excluded.token_decimals'),
        min_deposit: ref('excluded.min_deposit'),
        max_deposit: ref('excluded.max_deposit'),
        status: ref('excluded.status'),
        supports_gas_sponsorship: ref('excluded.supports_gas_sponsorship'),
        params: ref('excluded.params'),
      })),
    )
    .execute()
}

async function deprecateUnlisted(
  tx: Tx,
  venueKeys: ReadonlySet<string>,
  strategyKeys: ReadonlySet<string>,
): Promise<void> {
  const isUnlisted = (keys: ReadonlySet<string>) => sql<boolean>`key <> all (${[...keys]}::text[])`
  await tx
    .updateTable('strategies')
    .set({ status: 'deprecated' })
    .where('status', '<>', 'deprecated')
    .where(isUnlisted(strategyKeys))
    .execute()
  await tx
    .updateTable('venues')
    .set({ status: 'deprecated' })
    .where('status', '<>', 'deprecated')
    .where(isUnlisted(venueKeys))
    .execute()
}
