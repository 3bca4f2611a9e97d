import type { Address, Hash, Hex } from 'viem'
import type { EvmBlockchain } from './chains.ts'

export type EvmToken = {
  readonly symbol: string
  readonly name: string
  readonly address: Address
  readonly decimals: number
  /** Its price in US dollars, behind Chainlink's AggregatorV3 interface. */
  readonly usdFeed: Address
}

type StrategyBase = {
  /** Stable across restarts and releases: `aave-v3:polygon:USDC`, `erc4626:polygon:USDC:capped`. */
  readonly key: string
  readonly name: string
  readonly token: string
  readonly tokenAddress: Address
  /** Base units of the token. */
  readonly minDeposit: bigint
  /** Base units of the token; null: no limit. */
  readonly maxDeposit: bigint | null
  readonly status: 'active' | 'paused'
}

export type EvmStrategy = StrategyBase &
  (
    | {
        readonly protocol: 'aave-v3'
        readonly params: { readonly pool: Address; readonly aToken: Address; readonly dataProvider: Address }
      }
    | {
        readonly protocol: 'erc4626'
        readonly params: {
          readonly vault: Address
          /** A fixed yearly rate in basis points (500 = 5 %); null: what borrowers pay, or what `rate` returns. */
          readonly rateBasisPoints: number | null
          /** Its max* functions return 0 by design and say nothing. */
          readonly limits?: 'unreported'
          /** The function that returns the factor of a second, in rays. */
          readonly rate?: 'ssr'
          /**
           * What reports how much it could pay all depositors together: its function `cash`, or the layer of Fluid's
           * kind.
           */
          readonly cash?: 'reported' | 'fluid'
          /** The contract that holds its tokens, where it is of Fluid's kind. */
          readonly layer?: Address
          /** Where the vault lends its tokens; null: it keeps them. */
          readonly lendsTo:
            | { readonly kind: 'aave-v3'; readonly pool: Address }
            | { readonly kind: 'markets'; readonly markets: Address; readonly ids: readonly bigint[] }
            | null
          /** The code that its proxy runs at first, and after an upgrade; absent: it has no proxy. */
          readonly implementations?: readonly [Address, Address]
        }
      }
    | {
        /** A market with the interface of Compound's Comet. */
        readonly protocol: 'compound-v3'
        readonly params: {
          readonly comet: Address
          /** The contract that pays what the market tracks for lenders, a slash, and the feed of that token's price. */
          readonly rewards?: `${Address}/${Address}`
        }
      }
    | {
        /** Withdrawals take time: they are requested, and claimed later. */
        readonly protocol: 'erc7540'
        readonly params: { readonly vault: Address; readonly rateBasisPoints: number }
      }
    | {
        /** Withdrawals are requested, and claimed from the escrow after a time. */
        readonly protocol: 'cooldown-vault'
        readonly params: { readonly vault: Address; readonly escrow: Address; readonly rateBasisPoints: number }
      }
  )

export type CometStrategy = Extract<EvmStrategy, { protocol: 'compound-v3' }>

/** What is deployed on an embedded chain. Addresses are the same on every new chain of that name. */
export type EvmDeployment = {
  readonly blockchain: EvmBlockchain
  readonly chainId: number
  readonly url: string
  /** Unique to each new chain: a different hash than last time means that the old chain is gone. */
  readonly genesisHash: Hash
  readonly multicall3: Address
  readonly tokens: readonly EvmToken[]
  readonly strategies: readonly EvmStrategy[]
  /**
   * DEVELOPMENT ONLY: the key is public. This account deployed everything, has plenty of native gas, and may
   * call `mint(address to, uint256 value)` on every token.
   */
  readonly treasury: { readonly address: Address; readonly privateKey: Hex }
  /** The other accounts of the Aave market. Chain faults never affect them. */
  readonly lender: Address
  readonly borrower: Address
}
