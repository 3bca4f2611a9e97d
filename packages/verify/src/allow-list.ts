/**
 * The agent's own list of what may be touched: chains, tokens, venues, and what a transaction may cost. It shares
 * nothing with the service that plans (rule 10), so that whoever commands the service still cannot name a place
 * for the money to go.
 */
export interface AllowList {
  readonly chains: readonly ChainRules[]
}

export type ChainRules = EvmRules | SolanaRules

export interface TokenRule {
  readonly symbol: string
  readonly address: string
  readonly decimals: number
  /** Base units that one transaction may move at most; null: no bound of the agent's own. */
  readonly maxAmount: bigint | null
}

export interface EvmRules {
  readonly family: 'evm'
  readonly blockchain: string
  readonly chainId: number
  readonly tokens: readonly TokenRule[]
  readonly venues: readonly EvmVenue[]
  /** In wei; `maxCost` is gas × fee of one transaction. */
  readonly fees: {
    readonly maxGas: bigint
    readonly maxFeePerGas: bigint
    readonly maxPriorityFeePerGas: bigint
    readonly maxCost: bigint
  }
}

export interface EvmVenue {
  readonly name: string
  readonly protocol: 'aave-v3' | 'erc4626'
  /** Symbol. */
  readonly token: string
  /** Aave's Pool, or the vault: called, and allowed to take the token. */
  readonly contract: string
}

export interface SolanaRules {
  readonly family: 'svm'
  readonly blockchain: string
  /** Null: not checked, as on a development chain, where every new chain has another. */
  readonly genesisHash: string | null
  readonly tokens: readonly TokenRule[]
  readonly venues: readonly SolanaVenue[]
  /** `maxCost` in lamports, signature and priority fee together. */
  readonly fees: { readonly maxUnits: bigint; readonly maxCost: bigint }
}

export type SolanaVenue = ShareVaultVenue | KaminoVenue

interface SolanaVenueBase {
  readonly name: string
  readonly token: string
  readonly program: string
  /** Shares for one base unit of the token when the venue was new. Shares only grow dearer, so never more than this. */
  readonly sharesPerUnit: bigint
}

export interface ShareVaultVenue extends SolanaVenueBase {
  readonly protocol: 'share-vault'
  readonly vault: string
  readonly shareMint: string
  readonly liquidity: string
}

export interface KaminoVenue extends SolanaVenueBase {
  readonly protocol: 'kamino'
  readonly reserve: string
  readonly lendingMarket: string
  readonly supplyVault: string
  readonly collateralMint: string
}
