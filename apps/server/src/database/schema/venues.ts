import type { Generated } from 'kysely'
import type { JsonColumn, Optional, WithDefault } from './column-types.ts'

export type CatalogueStatus = 'active' | 'paused' | 'deprecated'

/** Whether contracts take deposits now; `full`: at their own cap. */
export type DepositState = 'open' | 'full' | 'frozen' | 'paused'
export type WithdrawalState = 'open' | 'paused'

/** The code of one contract of a strategy. */
export interface StoredContractCode {
  readonly address: string
  readonly codeHash: string
  readonly implementation: string | null
  readonly beacon: string | null
  /** Solana: who may replace it; absent on EVM. */
  readonly upgradeAuthority?: string | null
}

export interface VenuesTables {
  venues: {
    id: Generated<number>
    /** Names the venue permanently. */
    key: string
    name: string
    protocol: string
    blockchain: string
    icon_url: Optional<string>
    /** Whether its strategies are offered. */
    status: CatalogueStatus
  }
  strategies: {
    id: Generated<number>
    venue_id: number
    /** Names the strategy permanently; its id follows the key. */
    key: string
    name: string
    protocol: string
    blockchain: string
    token: string
    token_address: string
    token_decimals: number
    /** In base units; null: no minimum. */
    min_deposit: Optional<bigint>
    /** In base units; null: no maximum. */
    max_deposit: Optional<bigint>
    /** The announced status, unless the service paused the strategy itself. */
    status: CatalogueStatus
    /** As the seeds say; `null` until the first start that writes it. */
    announced_status: Optional<CatalogueStatus>
    /** Why the service paused the strategy. */
    paused_because: Optional<'wrong_token'>
    /** The revision of the seeds that wrote the row last. */
    catalogue_revision: WithDefault<number>
    /** The source that an operator's venue file names; `null`: Weir itself lists the strategy. */
    listing_source: Optional<string>
    /** Whether wallets whose gas somebody else pays can use it. */
    supports_gas_sponsorship: WithDefault<boolean>
    /** Addresses and other parameters that the venue needs. */
    params: JsonColumn<Record<string, string>>
    /** Decimal fraction. */
    apy: WithDefault<number>
    /** All that depositors have in it, in base units; null: not known. */
    tvl: Optional<bigint>
    /** What all depositors could withdraw now, in base units; null: not known. */
    liquidity: Optional<bigint>
    /** Value of a share, scaled as the protocol scales it. */
    price: Optional<bigint>
    /** The block of the last reading. */
    price_block: Optional<number>
    /** The time of that block, by the chain's clock. */
    price_at: Optional<Date>
    /** When it was read. */
    rates_at: Optional<Date>
    /** These three are read with the rates; `null` before the first reading. */
    deposit_state: Optional<DepositState>
    /** Base units that the contracts accept now; `null`: no bound, or none that they report. */
    deposit_room: Optional<bigint>
    /** Whether its contracts pay at all. */
    withdrawal_state: Optional<WithdrawalState>
    /** How long its curator waits before it can add risk; `null`: the contract reports nothing. */
    timelock_seconds: Optional<number>
    /** Base units that it counts among its assets although they are lost; `null`: not read, or it reports no losses. */
    shortfall: Optional<bigint>
    /** The part of a deposit that it announces to keep, in hundredths of a percent; `null`: not read, or it announces none. */
    entry_fee_bps: Optional<number>
    /** The same of a withdrawal. */
    exit_fee_bps: Optional<number>
    /** How long a withdrawal waits after its request, 0: not at all; `null`: the contract has no such time. */
    cooldown_seconds: Optional<number>
    /** Rewards in another token for a share since the beginning, as the protocol tracks them; `null`: it tells nothing. */
    reward_index: Optional<bigint>
    /** Whole reward tokens for a whole token that was worth 1e18 at a growth of the index by its price; `null`: not known. */
    reward_factor: Optional<bigint>
    /** The token that the rewards are paid in; `null`: not known. */
    reward_token: Optional<string>
    /** Whether a deposit earns rewards now. */
    reward_accrues: Optional<boolean>
  }
  token_prices: {
    blockchain: string
    token_address: string
    /** 1e-8 US dollars. */
    price: bigint
    /** When the feed was last updated. */
    priced_at: Date
    /** When the feed was read. */
    read_at: Date
  }
  strategy_code: {
    strategy_id: number
    /** Another one once the code of any of its contracts is another. */
    fingerprint: string
    /** Its contracts, and what holds their money, with the hash of the code of each. */
    contracts: JsonColumn<readonly StoredContractCode[]>
    /** When the fingerprint last changed. */
    changed_at: Date
    /** When it was last read. */
    read_at: Date
  }
  strategy_prices: {
    strategy_id: number
    /** A day in UTC, by the chain's clock. */
    day: string
    /** The value of a share at the first reading of the day, scaled as the protocol scales it. */
    price: bigint
    /** Base units; `null` on days before they were recorded. */
    tvl: Optional<bigint>
    /** What all depositors could withdraw, in base units. */
    liquidity: Optional<bigint>
    /** As in `strategies`, at the first reading of the day. */
    reward_index: Optional<bigint>
    /** The time of the block, by the chain's clock. */
    read_at: Date
  }
}
