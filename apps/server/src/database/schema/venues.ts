import type { Generated } from 'kysely'
import type { JsonColumn, Optional, WithDefault } from './column-types.ts'

export type CatalogueStatus = 'active' | 'paused' | 'deprecated'

export interface VenuesTables {
  venues: {
    id: Generated<number>
    key: string
    name: string
    protocol: string
    blockchain: string
    icon_url: Optional<string>
    status: CatalogueStatus
  }
  strategies: {
    id: Generated<number>
    venue_id: number
    /** Names the strategy for ever; its id follows the key. */
    key: string
    name: string
    protocol: string
    blockchain: string
    token: string
    token_address: string
    token_decimals: number
    min_deposit: Optional<bigint>
    max_deposit: Optional<bigint>
    status: CatalogueStatus
    supports_gas_sponsorship: WithDefault<boolean>
    /** Addresses and the like that the venue needs. */
    params: JsonColumn<Record<string, string>>
    /** Decimal fraction. */
    apy: WithDefault<number>
    tvl: Optional<bigint>
    liquidity: Optional<bigint>
    /** Value of a share, scaled as the protocol scales it. */
    price: Optional<bigint>
    price_block: Optional<number>
    price_at: Optional<Date>
    rates_at: Optional<Date>
  }
  strategy_prices: { strategy_id: number; day: string; price: bigint; read_at: Date }
}
