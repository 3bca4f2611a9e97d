/** A change of one balance by a transaction. */
export interface Move {
  readonly token: string
  readonly owner: string
  readonly amount: bigint
}

/** A request that waits until a time in Unix seconds. */
export interface WaitingRequest {
  readonly until: number
  readonly shares: bigint
  /** Fixed at the request; absent: what the shares are worth. */
  readonly assets?: bigint
}

/** What one owner requested back from a market. */
export interface Exit {
  readonly waiting: readonly WaitingRequest[]
  readonly claimable: bigint
}

const NO_EXIT: Exit = { waiting: [], claimable: 0n }

/** The state of all accounts and contracts after a block. Amounts in base units. */
export class State {
  readonly native: Map<string, bigint>
  readonly nonces: Map<string, number>
  /** ERC-20 balances, vault shares and scaled aToken balances alike, by token and owner. */
  #balances: Map<string, bigint>
  /** All balance changes since this copy was made. */
  #moves: Move[] = []
  #allowances: Map<string, bigint>
  /** Aave: the index at each owner's last change, from which its events compute the interest since then. */
  #indexes: Map<string, bigint>
  #exits: Map<string, Exit>

  constructor(from?: State) {
    this.native = new Map(from?.native)
    this.nonces = new Map(from?.nonces)
    this.#balances = new Map(from ? from.#balances : [])
    this.#allowances = new Map(from ? from.#allowances : [])
    this.#indexes = new Map(from ? from.#indexes : [])
    this.#exits = new Map(from ? from.#exits : [])
  }

  copy(): State {
    return new State(this)
  }

  /** Undoes a reverted call. Contracts cannot change coins and nonces. */
  restore(before: State): void {
    this.#balances = before.#balances
    this.#allowances = before.#allowances
    this.#indexes = before.#indexes
    this.#exits = before.#exits
    this.#moves = []
  }

  /** The movements since the last call. */
  takeMoves(): Move[] {
    const moves = this.#moves
    this.#moves = []
    return moves
  }

  balance(token: string, owner: string): bigint {
    return this.#balances.get(`${token} ${owner}`) ?? 0n
  }

  /** Adds to a balance; reverts if it would fall below zero. */
  add(token: string, owner: string, amount: bigint): void {
    const after = this.balance(token, owner) + amount
    if (after < 0n) throw new Revert('transfer amount exceeds balance')
    this.#balances.set(`${token} ${owner}`, after)
    this.#moves.push({ token, owner, amount })
  }

  allowance(token: string, owner: string, spender: string): bigint {
    return this.#allowances.get(`${token} ${owner} ${spender}`) ?? 0n
  }

  allow(token: string, owner: string, spender: string, amount: bigint): void {
    this.#allowances.set(`${token} ${owner} ${spender}`, amount)
  }

  indexOf(token: string, owner: string): bigint | undefined {
    return this.#indexes.get(`${token} ${owner}`)
  }

  setIndex(token: string, owner: string, index: bigint): void {
    this.#indexes.set(`${token} ${owner}`, index)
  }

  exit(contract: string, owner: string): Exit {
    return this.#exits.get(`${contract} ${owner}`) ?? NO_EXIT
  }

  setExit(contract: string, owner: string, exit: Exit): void {
    this.#exits.set(`${contract} ${owner}`, exit)
  }

  nonce(address: string): number {
    return this.nonces.get(address) ?? 0
  }

  coins(address: string): bigint {
    return this.native.get(address) ?? 0n
  }
}

/** A contract refuses. The transaction's only effect is its fee. */
export class Revert extends Error {
  override readonly name = 'Revert'
}
