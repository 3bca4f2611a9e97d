/**
 * The agent's own allow-list: chains, tokens, venues, and the highest cost of a transaction. It shares nothing with the
 * service that plans (rule 10), so an attacker who controls the service still cannot choose where the money goes.
 */
export interface AllowList {
  readonly chains: readonly ChainRules[]
}

export type ChainRules = EvmRules | SolanaRules

export interface TokenRule {
  readonly symbol: string
  readonly address: string
  readonly decimals: number
  /** The most that one transaction may move, in base units; null: unlimited. */
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

export const EVM_PROTOCOLS = ['aave-v3', 'compound-v3', 'erc4626', 'erc7540', 'cooldown-vault'] as const
export type EvmProtocol = (typeof EVM_PROTOCOLS)[number]

export interface EvmVenue {
  readonly name: string
  readonly protocol: EvmProtocol
  /** Symbol. */
  readonly token: string
  /** Aave's Pool, Compound's Comet, or the vault: the contract that is called and that may spend the token. */
  readonly contract: string
}

export interface SolanaRules {
  readonly family: 'svm'
  readonly blockchain: string
  /** Null: not checked, as on development chains, where each new chain has a different one. */
  readonly genesisHash: string | null
  readonly tokens: readonly TokenRule[]
  readonly venues: readonly SolanaVenue[]
  /** `maxCost` in lamports: signature and priority fee together. */
  readonly fees: { readonly maxUnits: bigint; readonly maxCost: bigint }
}

export type SolanaVenue = ShareVaultVenue | KaminoVenue | JupiterLendVenue

interface SolanaVenueBase {
  readonly name: string
  readonly token: string
  readonly program: string
  /** Shares for one base unit when the venue was new. Share prices only rise, so never more than this. */
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

export interface JupiterLendVenue extends SolanaVenueBase {
  readonly protocol: 'jupiter-lend'
  /** The market of the token; its other accounts follow from the token and these programs. */
  readonly lending: string
  readonly shareMint: string
  readonly liquidityProgram: string
  readonly rewardsProgram: string
}
