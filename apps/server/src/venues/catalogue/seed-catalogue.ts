import { type Insertable, sql } from 'kysely'
import { type CatalogueStatus, type Database, inTransaction, type Schema, type Tx } from '../../database/index.ts'
import { READINGS } from '../readings.ts'

/**
 * Raise it with every change of the live seeds: during an update, and after one is taken back, processes with older
 * seeds run next to those with newer ones. seeds-revision.test.ts compares it.
 */
export const SEEDS_REVISION = 6

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
  readonly status: CatalogueStatus
  readonly supportsGasSponsorship: boolean
  /** As in `Strategy.params`. */
  readonly params: Readonly<Record<string, string>>
  /** The source that an operator's venue file names; absent: Weir itself lists the strategy. */
  readonly listingSource?: string
}

export interface VenueSeed {
  readonly key: string
  readonly name: string
  readonly protocol: string
  readonly blockchain: string
  readonly iconUrl: string | null
  readonly strategies: readonly StrategySeed[]
}

/** Which part of the catalogue a process may write. */
export interface SeedScope {
  /** The chains that the process serves; by default those of the seeds. Entries of other chains are unchanged. */
  readonly chains?: readonly string[]
  /** Entries of a chain that a process with newer seeds wrote are unchanged. */
  readonly revision?: number
}

/**
 * Makes Weir's own catalogue of the served chains exactly these venues and strategies. Ids follow the keys and never
 * change. An entry that is no longer listed becomes deprecated, because wallets may still hold positions there, and is
 * revived when it returns; one of an operator's venue file stays until a file says otherwise. A strategy that moved to other contracts loses its readings, because their prices are unrelated, and a
 * pause that the service set, because it was about the old ones; every other start keeps that pause. Idempotent;
 * processes that start together may all run it, even when they serve different chains or have different seeds.
 */
export async function seedCatalogue(
  db: Database,
  announced: readonly VenueSeed[],
  { chains = announced.map(({ blockchain }) => blockchain), revision = SEEDS_REVISION }: SeedScope = {},
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockCatalogue(tx)
    const newer = await chainsWithNewerSeeds(tx, revision)
    const own = chains.filter((chain) => !newer.has(chain))
    const seeds = announced.filter(({ blockchain }) => own.includes(blockchain))
    const venueIds = await saveVenues(tx, seeds)
    const rows = seeds.flatMap((venue) =>
      venue.strategies.map((seed) => ({
        ...strategyRow(seed, venue, venueIds.get(venue.key)!),
        catalogue_revision: revision,
      })),
    )
    await deleteRelocatedRates(tx, rows)
    await saveStrategies(tx, rows)
    await deprecateUnlisted(tx, own, { venueKeys: [...venueIds.keys()], strategyKeys: rows.map(({ key }) => key) })
  })
}

/** Concurrent seeding would lock rows in different orders. */
export async function lockCatalogue(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('weir catalogue'))`.execute(tx)
}

async function chainsWithNewerSeeds(tx: Tx, revision: number): Promise<ReadonlySet<string>> {
  const rows = await tx
    .selectFrom('strategies')
    .select('blockchain')
    .distinct()
    .where('catalogue_revision', '>', revision)
    .execute()
  return new Set(rows.map(({ blockchain }) => blockchain))
}

type StrategyRow = Insertable<Schema['strategies']>

export function strategyRow(seed: StrategySeed, venue: VenueSeed, venueId: number): StrategyRow {
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
    announced_status: seed.status,
    listing_source: seed.listingSource ?? null,
    supports_gas_sponsorship: seed.supportsGasSponsorship,
    params: JSON.stringify(seed.params),
  }
}

async function saveVenues(tx: Tx, seeds: readonly VenueSeed[]): Promise<Map<string, number>> {
  if (seeds.length === 0) return new Map()
  const rows = await tx
    .insertInto('venues')
    .values(seeds.map(venueRow))
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

export function venueRow({
  key,
  name,
  protocol,
  blockchain,
  iconUrl,
  strategies,
}: VenueSeed): Insertable<Schema['venues']> {
  return { key, name, protocol, blockchain, icon_url: iconUrl, status: statusOf(strategies) }
}

const statusOf = (strategies: readonly StrategySeed[]): CatalogueStatus =>
  strategies.some(({ status }) => status !== 'deprecated') ? 'active' : 'deprecated'

/** Removes the readings of strategies whose contracts changed. */
async function deleteRelocatedRates(tx: Tx, rows: readonly StrategyRow[]): Promise<void> {
  await sql`
    with moved as (
      update strategies s
      set price = null, price_block = null, price_at = null, tvl = null, liquidity = null, apy = 0, rates_at = null,
        deposit_state = null, deposit_room = null, withdrawal_state = null, paused_because = null,
        reward_index = null, reward_accrues = null, reward_factor = null, reward_token = null
      from unnest(
        ${rows.map(({ key }) => key)}::text[],
        ${rows.map((row) => row.token_address)}::text[],
        ${rows.map(({ params }) => params)}::text[]
      ) as seed (key, token_address, params)
      where s.key = seed.key
        -- How limits, rate, cash and rewards are read is no contract of the money: the contracts, their prices and a
        -- pause stay.
        and (s.token_address <> seed.token_address
          or s.params - ${READINGS}::text[] <> seed.params::jsonb - ${READINGS}::text[])
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
        status: sql<CatalogueStatus>`case
          when strategies.paused_because is null or excluded.status = 'deprecated' then excluded.status
          else 'paused' end`,
        announced_status: ref('excluded.announced_status'),
        catalogue_revision: ref('excluded.catalogue_revision'),
        listing_source: ref('excluded.listing_source'),
        supports_gas_sponsorship: ref('excluded.supports_gas_sponsorship'),
        params: ref('excluded.params'),
      })),
    )
    .execute()
}

async function deprecateUnlisted(
  tx: Tx,
  chains: readonly string[],
  listed: { readonly venueKeys: readonly string[]; readonly strategyKeys: readonly string[] },
): Promise<void> {
  if (chains.length === 0) return
  const isUnlisted = (keys: readonly string[]) => sql<boolean>`key <> all (${keys}::text[])`
  await tx
    .updateTable('strategies')
    .set({ status: 'deprecated', announced_status: 'deprecated' })
    .where('blockchain', 'in', chains)
    .where('status', '<>', 'deprecated')
    .where('listing_source', 'is', null)
    .where(isUnlisted(listed.strategyKeys))
    .execute()
  await tx
    .updateTable('venues')
    .set({ status: 'deprecated' })
    .where('blockchain', 'in', chains)
    .where('status', '<>', 'deprecated')
    .where(isUnlisted(listed.venueKeys))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('strategies as s')
            .whereRef('s.venue_id', '=', 'venues.id')
            .where('s.listing_source', 'is not', null)
            .where('s.status', '<>', 'deprecated')
            .select('s.id'),
        ),
      ),
    )
    .execute()
}
