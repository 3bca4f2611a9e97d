/** Everything that the service acknowledged to the callers of a run. Times are of `performance.now()`. */
export interface Journal {
  /** Wallets that were registered: id and address. */
  readonly wallets: Map<number, string>
  /** Operations that were planned: id, wallet, and what they move. */
  readonly operations: Map<number, PlannedOperation>
  /** Hashes of submitted transactions, with their operation. */
  readonly submitted: Map<string, number>
  /** Gifts of the faucet: hash, wallet and amount. */
  readonly gifts: Map<string, Gift>
  /** Operations that callers saw CONFIRMED. */
  readonly confirmed: Set<number>
  /** What no caller may see: operations that failed, responses that fit no request. */
  readonly problems: string[]
  readonly writes: Moments
  /** By chain. */
  readonly settlements: ReadonlyMap<string, Moments>
}

export interface PlannedOperation {
  readonly walletId: number
  readonly type: 'SUPPLY' | 'UNWIND'
  readonly amount: bigint
}

interface Gift {
  readonly walletId: number
  readonly amount: bigint
}

/** When something happened. */
export interface Moments {
  add(): void
  /** Whether it happened after this time. */
  readonly since: (time: number) => boolean
  /** The longest time in milliseconds without it, from `from` to `to`; the ends count. */
  longestGap(from: number, to: number): number
}

function createMoments(): Moments {
  const times: number[] = []
  return {
    add: () => void times.push(performance.now()),
    since: (time) => (times.at(-1) ?? 0) > time,
    longestGap(from, to) {
      const within = [from, ...times.filter((time) => time > from && time < to), to]
      return Math.max(...within.slice(1).map((time, index) => time - within[index]!))
    },
  }
}

export function createJournal(chains: readonly string[]): Journal {
  return {
    wallets: new Map(),
    operations: new Map(),
    submitted: new Map(),
    gifts: new Map(),
    confirmed: new Set(),
    problems: [],
    writes: createMoments(),
    settlements: new Map(chains.map((chain) => [chain, createMoments()])),
  }
}
