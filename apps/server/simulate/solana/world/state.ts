/** An account that holds tokens or shares. Amounts in base units. */
export interface TokenAccount {
  readonly mint: string
  readonly owner: string
  readonly amount: bigint
}

/** The content of a vault's account. Amounts in base units of the token and the shares. */
export interface Vault {
  readonly assets: bigint
  readonly shares: bigint
  /** Unix seconds. */
  readonly accruedAt: bigint
  /** Basis points per year. */
  readonly rate: bigint
  readonly yieldLeft: bigint
  /** Neither takes deposits nor pays. */
  readonly paused: boolean
  /** The most assets after a deposit; `null`: no cap. */
  readonly cap: bigint | null
}

/** What circuit breakers watch. */
export interface RiskFacts {
  /** The price of USDC, in 1e-8 US dollars. */
  readonly usd: bigint
  /** The slot in which the program of the vaults was deployed last. */
  readonly deployedIn: number
}

/** The contents of all accounts after a block. */
export class State {
  readonly lamports: Map<string, bigint>
  readonly tokens: Map<string, TokenAccount>
  readonly vaults: Map<string, Vault>
  /** Absent where a seed has no circuit breakers. */
  facts: RiskFacts | undefined

  constructor(from?: State) {
    this.lamports = new Map(from?.lamports)
    this.tokens = new Map(from?.tokens)
    this.vaults = new Map(from?.vaults)
    this.facts = from?.facts
  }

  copy(): State {
    return new State(this)
  }

  native(address: string): bigint {
    return this.lamports.get(address) ?? 0n
  }

  /** A token account's balance; zero if it does not exist. */
  amount(account: string): bigint {
    return this.tokens.get(account)?.amount ?? 0n
  }
}
