import type { Call, Chain, IncludedTransaction } from '../chains/index.ts'
import type { CatalogueStatus, TransactionKind } from '../database/index.ts'

/** A strategy as the catalogue holds it. Amounts in base units, `apy` a decimal fraction. */
export interface Strategy {
  readonly id: number
  readonly venueId: number
  readonly venueName: string
  readonly key: string
  readonly name: string
  readonly protocol: string
  readonly blockchain: string
  readonly token: string
  readonly tokenAddress: string
  readonly tokenDecimals: number
  readonly minDeposit: bigint | null
  readonly maxDeposit: bigint | null
  readonly status: CatalogueStatus
  readonly supportsGasSponsorship: boolean
  /** Protocol addresses: aave-v3 `{pool, aToken}`, erc4626 `{vault}`. */
  readonly params: Readonly<Record<string, string>>
  readonly apy: number
  readonly tvl: bigint | null
  readonly liquidity: bigint | null
  /** Price per share at the last reading, in the venue's own scale; `null` before the first. */
  readonly price: bigint | null
}

/** One transaction of a plan, before nonce, fees and bytes. */
export interface Step {
  readonly kind: TransactionKind
  /** For people: "Approve 1,000.00 USDC for Aave V3". */
  readonly description: string
  readonly call: Call
}

export interface Rates {
  /** Decimal fraction; what a deposit earns over a year at the present rate, compounding included. */
  readonly apy: number
  readonly tvl: bigint
  /** What could be withdrawn now, by all together. */
  readonly liquidity: bigint
}

/** What one included transaction moved between a wallet and a strategy, read from its events (money-rules 7). */
export interface Movement {
  readonly direction: 'in' | 'out'
  /** Tokens that left (in) or reached (out) the wallet. */
  readonly assets: bigint
  readonly shares: bigint
}

/**
 * A lending protocol. Positions are shares, and a share has a price; both are base-unit integers in the protocol's own
 * scale, and only `valueOf` brings them together.
 */
export interface Venue {
  readonly protocol: string
  /** The token whose Transfer events tell that somebody's shares changed. */
  shareToken(strategy: Strategy): string
  /** Value in token base units, rounded as the protocol rounds a withdrawal. Pure. */
  valueOf(shares: bigint, price: bigint): bigint
  /** Prices per share, batched, at a block or the latest. Throws CHAIN_UNAVAILABLE. */
  prices(chain: Chain, strategies: readonly Strategy[], at?: number): Promise<bigint[]>
  /** Shares of each owner in each strategy asked, batched. */
  shares(chain: Chain, asked: readonly { strategy: Strategy; owner: string }[], at?: number): Promise<bigint[]>
  rates(chain: Chain, strategies: readonly Strategy[]): Promise<Rates[]>
  /** Approvals as needed (money-rules 9), then the deposit. Reads the allowance. */
  planSupply(chain: Chain, plan: { strategy: Strategy; owner: string; amount: bigint; needsZeroAllowance: boolean }): Promise<Step[]>
  /** `amount` in token base units, or 'full' by the protocol's own mechanism, which leaves no share behind. */
  planUnwind(chain: Chain, plan: { strategy: Strategy; owner: string; amount: bigint | 'full'; shares: bigint }): Promise<Step[]>
  /** What the transaction moved for this wallet in this strategy; `undefined` when nothing. Pure. */
  movement(strategy: Strategy, owner: string, transaction: IncludedTransaction): Movement | undefined
}
