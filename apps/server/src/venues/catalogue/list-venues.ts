import type { CatalogueStatus, Database } from '../../database/index.ts'
import type { Strategy } from '../port.ts'
import { strategyFrom, strategyRows } from './strategy.ts'

/** A venue with its matching strategies. */
export interface CatalogueVenue {
  readonly id: number
  readonly name: string
  readonly protocol: string
  readonly blockchain: string
  readonly iconUrl: string | null
  readonly status: CatalogueStatus
  readonly strategies: readonly Strategy[]
}

/** Filters for strategies, in the catalogue's own spelling: lower-case blockchain, upper-case symbol. */
export interface VenueFilters {
  readonly blockchain?: string | undefined
  readonly token?: string | undefined
  /** `true`: only strategies that work with gas-sponsored wallets. `false` filters nothing (spec 4.6). */
  readonly supportsGasSponsorship?: boolean | undefined
}

/** Venues with their matching strategies; venues without any are omitted (contract 6). Oldest first, by id. */
export async function listVenues(db: Database, filters: VenueFilters = {}): Promise<CatalogueVenue[]> {
  const { blockchain, token, supportsGasSponsorship } = filters
  let query = venueRows(db)
  if (blockchain !== undefined) query = query.where('s.blockchain', '=', blockchain)
  if (token !== undefined) query = query.where('s.token', '=', token)
  if (supportsGasSponsorship) query = query.where('s.supports_gas_sponsorship', '=', true)
  return groupByVenue(await query.execute())
}

/** The venue with this id and all its strategies; `undefined` if there is none. */
export async function venueById(db: Database, id: number): Promise<CatalogueVenue | undefined> {
  const [venue] = groupByVenue(await venueRows(db).where('v.id', '=', id).execute())
  return venue
}

function venueRows(db: Database) {
  return strategyRows(db)
    .clearOrderBy()
    .orderBy('v.id')
    .orderBy('s.id')
    .select(['v.icon_url', 'v.status as venue_status'])
}

function groupByVenue(rows: Awaited<ReturnType<ReturnType<typeof venueRows>['execute']>>): CatalogueVenue[] {
  return [...Map.groupBy(rows, (row) => row.venue_id).values()].map((venueStrategies) => {
    const [first] = venueStrategies
    return {
      id: first!.venue_id,
      name: first!.venue_name,
      protocol: first!.protocol,
      blockchain: first!.blockchain,
      iconUrl: first!.icon_url,
      status: first!.venue_status,
      strategies: venueStrategies.map(strategyFrom),
    }
  })
}
