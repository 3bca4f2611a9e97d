/** The chains that Weir serves. `arbitrum` is announced only (spec 1) and not among them. */
export const BLOCKCHAINS = ['solana', 'polygon', 'ethereum', 'base'] as const
export type Blockchain = (typeof BLOCKCHAINS)[number]

export function isBlockchain(text: string): text is Blockchain {
  return (BLOCKCHAINS as readonly string[]).includes(text)
}

/** A token of one chain. `address` is checksummed on EVM, base58 on Solana. */
export interface Token {
  readonly symbol: string
  readonly name: string
  readonly address: string
  readonly decimals: number
  /** Refuses `approve` while an allowance stands (Tether): a plan approves 0 first (rule 9). */
  readonly needsZeroAllowance: boolean
}

/** What is fixed about a chain in one running service. */
export interface Network {
  readonly blockchain: Blockchain
  readonly family: 'evm' | 'svm'
  /** EVM only. */
  readonly chainId: number | undefined
  /** Solana only: by it a node is known to serve this cluster. */
  readonly genesisHash?: string
  readonly nativeSymbol: string
  /** Blocks on top, the including one counted, after which a block is final here (contract 8). */
  readonly confirmations: number
  /** `tag`: the node's own `finalized` block counts instead of a depth. Absent: `depth`. */
  readonly finality?: 'depth' | 'tag'
  /**
   * How what happens is found out: by reading every block (absent), or, where those are too large, by asking after the
   * wallets that are known. Solana only.
   */
  readonly follow?: 'wallets'
  readonly tokens: readonly Token[]
}

/** Digits after the point of a chain's native coin: wei and lamports are its base units. */
export const NATIVE_DECIMALS = { evm: 18, svm: 9 } as const
