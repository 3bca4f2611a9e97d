import type { Address } from '@solana/kit'

export type SolanaToken = {
  readonly symbol: string
  readonly name: string
  /** The SPL mint. */
  readonly address: Address
  readonly decimals: number
  /** An account in Pyth's layout with its price in US dollars. */
  readonly usdFeed: Address
}

export type SolanaStrategy = {
  /** Stable across restarts and releases: `share-vault:solana:USDC`. */
  readonly key: string
  readonly name: string
  readonly token: string
  readonly tokenAddress: Address
  /** Base units of the token. */
  readonly minDeposit: bigint
  readonly maxDeposit: null
  readonly status: 'active' | 'paused'
  readonly protocol: 'share-vault'
  /** The accounts to send to and read; their layouts are in `programs/vault/README.md`. */
  readonly params: {
    readonly program: Address
    /** The vault's state account. Also owns its liquidity and is the authority of its share mint. */
    readonly vault: Address
    readonly shareMint: Address
    readonly shareDecimals: number
    /** The token account that holds all of the vault's money. */
    readonly liquidity: Address
    /** Simple interest a year, in basis points (500 = 5 %). */
    readonly rateBasisPoints: number
  }
}

/** What is deployed on the embedded Solana chain. Addresses are the same on every new chain. */
export type SolanaDeployment = {
  readonly blockchain: 'solana'
  readonly url: string
  /** Unique to each new chain: a different hash than last time means that the old chain is gone. */
  readonly genesisHash: string
  readonly tokens: readonly SolanaToken[]
  readonly strategies: readonly SolanaStrategy[]
  /** DEVELOPMENT ONLY: the key is public. Has plenty of SOL and is the mint authority of every token. */
  readonly treasury: {
    readonly address: Address
    /** 32 bytes of private key, then 32 of public key. */
    readonly secretKey: Uint8Array
  }
}

/** The part of a deployment that is the same on every new chain. */
export type SolanaLayout = Omit<SolanaDeployment, 'url' | 'genesisHash'>

/** Serializes the layout for the parent process, which then needs no Solana library. */
export function layoutToJson({ treasury, ...layout }: SolanaLayout): string {
  const secretKey = Buffer.from(treasury.secretKey).toString('base64')
  const whole = { ...layout, treasury: { ...treasury, secretKey } }
  return JSON.stringify(whole, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))
}

export function layoutFromJson(text: string): SolanaLayout {
  const { strategies, treasury, ...layout } = JSON.parse(text)
  return {
    ...layout,
    strategies: strategies.map((strategy: { minDeposit: string }) => ({
      ...strategy,
      minDeposit: BigInt(strategy.minDeposit),
    })),
    treasury: { ...treasury, secretKey: Uint8Array.from(Buffer.from(treasury.secretKey, 'base64')) },
  }
}
