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
}

/** The contents of all accounts after a block. */
export class State {
  readonly lamports: Map<string, bigint>
  readonly tokens: Map<string, TokenAccount>
  readonly vaults: Map<string, Vault>

  constructor(from?: State) {
    this.lamports = new Map(from?.lamports)
    this.tokens = new Map(from?.tokens)
    this.vaults = new Map(from?.vaults)
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
