/** The chains that Weir serves. `arbitrum` is only announced (spec 1) and not among them. */
export const BLOCKCHAINS = ['solana', 'polygon', 'ethereum', 'base'] as const
export type Blockchain = (typeof BLOCKCHAINS)[number]

/** The family of each chain. Rooms above read capabilities instead. */
export const FAMILIES = {
  solana: 'svm',
  polygon: 'evm',
  ethereum: 'evm',
  base: 'evm',
} as const satisfies Readonly<Record<Blockchain, 'evm' | 'svm'>>

export type EvmBlockchain = {
  [Each in Blockchain]: (typeof FAMILIES)[Each] extends 'evm' ? Each : never
}[Blockchain]

export const EVM_BLOCKCHAINS = BLOCKCHAINS.filter((name): name is EvmBlockchain => FAMILIES[name] === 'evm')

export function isBlockchain(text: string): text is Blockchain {
  return (BLOCKCHAINS as readonly string[]).includes(text)
}

/** A token of one chain. `address` is checksummed on EVM, base58 on Solana. */
export interface Token {
  readonly symbol: string
  readonly name: string
  readonly address: string
  readonly decimals: number
  /** Refuses `approve` while an allowance is not zero (Tether): a plan approves 0 first (rule 9). */
  readonly needsZeroAllowance: boolean
  /**
   * Its price in US dollars: a contract with Chainlink's AggregatorV3 interface, or on Solana an account of Pyth's
   * receiver. Absent: Weir knows no feed.
   */
  readonly usdFeed?: string
}

/** The fixed properties of a chain in one running service. */
export interface Network {
  readonly blockchain: Blockchain
  readonly family: (typeof FAMILIES)[Blockchain]
  /** EVM only. */
  readonly chainId: number | undefined
  /** Solana only: identifies the cluster that a node serves. */
  readonly genesisHash?: string
  readonly nativeSymbol: string
  /** Depth, counting the including block, at which a block is final here (contract 8). */
  readonly confirmations: number
  /** `tag`: the node's own `finalized` block counts instead of a depth. Absent: `depth`. */
  readonly finality?: 'depth' | 'tag'
  /**
   * How activity is discovered: by reading every block (absent), or, where blocks are too large, by querying the known
   * wallets. Solana only.
   */
  readonly follow?: 'wallets'
  readonly tokens: readonly Token[]
}

/** The most confirmations that are counted. A Solana slot with 32 votes on top is rooted (contract 1). */
const CONFIRMATIONS_MAX: Readonly<Partial<Record<string, number>>> = { solana: 32 }

/** Blocks from the including one to the head, both counted, as the chain counts them. */
export function countConfirmations(blockchain: string, blockNumber: number, headNumber: number): number {
  return Math.min(Math.max(1, headNumber - blockNumber + 1), CONFIRMATIONS_MAX[blockchain] ?? Number.POSITIVE_INFINITY)
}
