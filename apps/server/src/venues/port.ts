import type { BlockRef, Call, Chain, IncludedTransaction } from '../chains/index.ts'
import type { CatalogueStatus, DepositState, TransactionKind, WithdrawalState } from '../database/index.ts'

/** A strategy as stored in the catalogue. Amounts in base units, `apy` a decimal fraction. */
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
  /**
   * Protocol addresses: aave-v3 `{pool, aToken}`, compound-v3 `{comet}`, erc4626 and erc7540 `{vault}`, cooldown-vault
   * `{vault, escrow}`, share-vault `{program, vault, shareMint, liquidity}`, kamino `{program, reserve, shareMint}`,
   * jupiter-lend `{program, lending, shareMint}`. erc4626 `limits: 'unreported'`: the vault's max* functions return 0
   * by design and say nothing. erc4626 `rate: 'ssr'` or `'vsr'`: that function returns the factor by which the price
   * grows in a second, in rays. erc4626 `cash: 'reported'`: the function `cash` returns what all depositors could
   * withdraw; `'fluid'`: one of Fluid's fTokens, whose Liquidity contract reports it; `'held'`: the vault
   * keeps its tokens, so its own balance does; `'minted'`: it mints what it owes, so all of it. compound-v3
   * `rewards`: a `RewardSource`, the contract that pays what the market tracks for lenders and the feed of that token.
   */
  readonly params: Readonly<Record<string, string>>
  /** The source that an operator's venue file names; `null`: Weir itself lists the strategy. */
  readonly listingSource: string | null
  readonly apy: number
  readonly tvl: bigint | null
  /** What all depositors together could withdraw; `null`: not read, or its contract does not report it. */
  readonly liquidity: bigint | null
  /** Price per share at the last reading, in the venue's own scale; `null` before the first. */
  readonly price: bigint | null
  /** What its contracts accepted and paid at the last reading; `null` before the first. */
  readonly deposits: DepositTerms | null
  /** Also `null` where they tell it only to the owner of a position. */
  readonly withdrawals: WithdrawalState | null
  /** How long its curator waits before it can add risk; `null`: the contract reports nothing. */
  readonly timelockSeconds: number | null
  /** Base units that it counts among its assets although they are lost; `null`: not read, or it reports no losses. */
  readonly shortfall: bigint | null
  /** The part of a deposit that it announces to keep, in hundredths of a percent; `null`: not read, or not announced. */
  readonly entryFeeBps: number | null
  /** The same of a withdrawal. */
  readonly exitFeeBps: number | null
  /** The token that it pays rewards in, at the last reading; `null`: not known, or none. */
  readonly rewardToken: string | null
}

/** What a strategy's contracts accept now. */
export interface DepositTerms {
  readonly state: DepositState
  /** Base units; `null`: no bound, or none that they report. */
  readonly room: bigint | null
}

/** One transaction of a plan, before nonce, fees and bytes. */
export interface PlanStep {
  readonly kind: TransactionKind
  /** Shown to people: "Approve 1,000.00 USDC for Aave V3". */
  readonly description: string
  readonly call: Call
  /**
   * What the call must return in its simulation: a deposit the shares, a withdrawal of all of them the base units. Less
   * means a loss. Absent: what it returns says nothing.
   */
  readonly returnsAtLeast?: bigint
  /** The shares that a withdrawal of an amount may take, by what it returns in its simulation. */
  readonly returnsAtMost?: bigint
}

/** A block to read at, with its time by the chain's clock. */
export type BlockTime = Pick<BlockRef, 'number' | 'time'>

/** An earlier price reading, dated by the chain's clock. */
export interface PastPrice {
  readonly price: bigint
  readonly at: Date
}

export interface RatesQuery {
  readonly strategy: Strategy
  /** A reading at least a day old, for protocols that report no rate; `undefined` while there is none. */
  readonly past: PastPrice | undefined
}

export interface Rates {
  /** Price per share at that block, in the venue's own scale. */
  readonly price: bigint
  /** As docs/apy.md defines it, at the current rate. */
  readonly apy: number
  readonly tvl: bigint
  /** What all depositors together could withdraw now; `null`: the contract does not report it. */
  readonly liquidity: bigint | null
  readonly deposits: DepositTerms
  /** `null`: the contract reports it only to the owner of a position. */
  readonly withdrawals: WithdrawalState | null
  /** How long the curator waits before it can add risk; absent: the contract reports nothing. */
  readonly timelockSeconds?: number
  /** Base units that it counts among its assets although they are lost; absent: the contract reports no losses. */
  readonly shortfall?: bigint
  /** The parts that it announces to keep of a deposit and of a withdrawal, in hundredths of a percent; absent: not announced. */
  readonly entryFeeBps?: number
  readonly exitFeeBps?: number
  /** How long a withdrawal waits after its request, 0: not at all; absent: the contract has no such time. */
  readonly cooldownSeconds?: number
  /** Absent: the protocol tells nothing about rewards. */
  readonly rewards?: RewardReading
}

/** What depositors earn in another token, outside of the share price. No APY contains it, and Weir does not claim it. */
export interface RewardReading {
  /** Rewards for a share since the beginning, as the protocol tracks them. */
  readonly index: bigint
  /** Whether a deposit earns rewards now. */
  readonly accrues: boolean
  /**
   * While the index grows by the share price, a deposit of one whole token earns `factor` / 1e18 whole tokens of
   * `token`. Absent: the contract that pays them is not known.
   */
  readonly paidIn?: { readonly token: string; readonly factor: bigint }
}

/** A wallet's position on chain. */
export interface PositionReading {
  readonly shares: bigint
  readonly price: bigint
  /** The contracts say 0 although the shares are worth something, and may say too little: `probe` finds out. */
  readonly isUnproven?: true
  /**
   * Base units that the owner could ask for now, by the protocol's own rules; at most the value. Where shares are redeemed
   * that earn until they land, less what they may earn.
   */
  readonly withdrawable: bigint
}

export interface SharesQuery {
  readonly strategy: Strategy
  readonly owner: string
}

export interface SupplyPlan {
  readonly strategy: Strategy
  /** The wallet that pays, signs, and receives the shares. */
  readonly owner: string
  /** Base units. */
  readonly amount: bigint
  /** Whether the token refuses to change a nonzero allowance (networks.ts). */
  readonly needsZeroAllowance: boolean
  /** Weir deposits on its own: a vault that keeps a part of it is refused. Absent: somebody named the strategy. */
  readonly isOwnChoice?: boolean
}

export interface UnwindPlan {
  readonly strategy: Strategy
  readonly owner: string
  /** Base units; 'full' leaves no share behind. */
  readonly amount: bigint | 'full'
  /** All shares that the wallet currently has in the strategy. */
  readonly shares: bigint
  /** What they are worth, where Weir withdraws on its own; absent: a withdrawal may cost anything. */
  readonly worth?: bigint
}

/** What one included transaction moved between a wallet and a strategy, read from its events (rule 7). */
export interface Movement {
  readonly direction: 'in' | 'out'
  /** Tokens that left (in) or reached (out) the wallet. */
  readonly assets: bigint
  readonly shares: bigint
}

/**
 * What one owner has requested back from a strategy whose withdrawals take time. Amounts in base units of the token. A
 * protocol adds the requests of an owner up, so there is one for each wallet and strategy.
 */
export interface ExitReading {
  /** What the requests that wait are worth at that block. */
  readonly pending: bigint
  /** What the owner could claim at that block. */
  readonly claimable: bigint
  /** When all of it is claimable, by the chain's clock; `null`: the protocol does not say, or nothing waits. */
  readonly claimableAt: Date | null
}

/** What one transaction changed in an owner's exit, from its events. Base units and the venue's shares. */
export interface ExitMovement {
  /** Shares of the owner that became a request. */
  readonly requestedShares: bigint
  /** What they are owed for; `null`: their value at that block. */
  readonly requestedAssets: bigint | null
  /** Shares of somebody else that became a request of this owner. */
  readonly receivedShares: bigint
  /** Claimed, and paid to the owner. */
  readonly claimed: bigint
  /** Claimed, and paid to somebody else. */
  readonly claimedElsewhere: bigint
}

export interface ClaimPlan {
  readonly strategy: Strategy
  readonly owner: string
  /** Base units that can be claimed now, or fewer. */
  readonly amount: bigint
}

export interface PlannedClaim {
  readonly steps: PlanStep[]
  /** What the steps claim, in base units; 'full': all that is claimable when they land. */
  readonly amount: bigint | 'full'
}

/** The withdrawals of a protocol that are requested and claimed later (docs/exits.md). */
export interface VenueExits {
  /** What is owed stays the same from the request on; otherwise it changes with the share price until it is claimable. */
  readonly isFixedAtRequest: boolean
  /** Another request makes all that is not claimed wait from the start again, including what could be claimed already. */
  readonly restartsWithRequest: boolean
  /** The exits of each owner at a block or the latest, batched. Throws CHAIN_UNAVAILABLE. */
  read(chain: Chain, queries: readonly SharesQuery[], at?: number): Promise<ExitReading[]>
  /** What the transaction changed in the owner's exit; `undefined` if nothing. Pure. */
  movement(strategy: Strategy, owner: string, transaction: IncludedTransaction): ExitMovement | undefined
  /** The addresses whose exits in the strategy the transaction may have changed. Pure. */
  ownersIn(strategy: Strategy, transaction: IncludedTransaction): readonly string[]
  planClaim(plan: ClaimPlan): PlannedClaim
}

/**
 * A lending protocol. Positions are shares, and a share has a price; both are integers in the protocol's own scale, and
 * only `valueOf` combines them.
 */
export interface Venue {
  readonly protocol: string
  /** The token whose Transfer events show that someone's shares changed. */
  shareToken(strategy: Strategy): string
  /** Value in token base units, rounded as the protocol rounds a withdrawal. Pure. */
  valueOf(shares: bigint, price: bigint): bigint
  /**
   * The token that each strategy's contract takes, read from it, in canonical spelling; `undefined`: unreadable. A
   * contract that issues other shares than the catalogue says counts as taking another token.
   */
  acceptedTokens(chain: Chain, strategies: readonly Strategy[]): Promise<(string | undefined)[]>
  /** Prices per share, batched, at a block or the latest. Throws CHAIN_UNAVAILABLE. */
  prices(chain: Chain, strategies: readonly Strategy[], at?: number): Promise<bigint[]>
  /** Shares of each owner in each strategy of the queries, batched. */
  shares(chain: Chain, queries: readonly SharesQuery[], at?: number): Promise<bigint[]>
  /**
   * Positions in the latest block, batched, with what their owners could withdraw. Throws CHAIN_UNAVAILABLE, even when
   * one of the contracts is unreadable.
   */
  positions(chain: Chain, queries: readonly SharesQuery[]): Promise<PositionReading[]>
  /** What one owner could withdraw whose reading is unproven, by simulated withdrawals. Throws CHAIN_UNAVAILABLE. */
  probe?(chain: Chain, query: SharesQuery, reading: PositionReading): Promise<bigint>
  /** Prices, rates, and what the contracts accept and pay, batched, at a block or the latest. Throws CHAIN_UNAVAILABLE. */
  rates(chain: Chain, queries: readonly RatesQuery[], at?: BlockTime): Promise<Rates[]>
  /**
   * The required approvals (rule 9), then the deposit. Reads the allowance, and in the same request what the contracts
   * accept from this owner. Throws STRATEGY_NOT_ACTIVE and AMOUNT_OUT_OF_BOUNDS.
   */
  planSupply(chain: Chain, plan: SupplyPlan): Promise<PlanStep[]>
  /** `amount` in token base units, or 'full' through the protocol's own mechanism, which leaves no share behind. */
  planUnwind(chain: Chain, plan: UnwindPlan): Promise<PlanStep[]>
  /** Absent where withdrawals pay at once, or not at all. */
  readonly exits?: VenueExits
  /**
   * What the transaction moved between this wallet and this strategy; `undefined` if nothing. Requests and claims of
   * {@link VenueExits} are no such movement. `price`: at the block of the transaction, for protocols whose events have
   * only the value of shares; `undefined` if it was never read. Pure.
   */
  netMovement(strategy: Strategy, owner: string, transaction: IncludedTransaction, price?: bigint): Movement | undefined
}
