/** A move of money by one transaction, as the verifier and the chain's fees bound it. */
export interface Move {
  readonly blockchain: string
  /** Symbol. */
  readonly token: string
  /** Name in the allow-list; unique on its chain. */
  readonly venue: string
  /** Address that signs. */
  readonly wallet: string
  readonly does: 'approve' | 'reset-approval' | 'supply' | 'withdraw'
  /** Base units. An approval moves nothing; its amount is the one that the next transaction may move. */
  readonly amount: bigint
  /** The most that it costs, in wei or lamports, with a deposit of rent. */
  readonly fee: bigint
}

/** A signed move, or one whose signature was requested, and when it counts. */
export interface CountedMove extends Move {
  /** Unix milliseconds; null: it can still land, so it counts until the chain has decided. */
  readonly at: number | null
}

export type Window = 'hour' | 'day'

export const WINDOW_MS: Readonly<Record<Window, number>> = { hour: 3_600_000, day: 86_400_000 }

export type Caps = Readonly<Partial<Record<Window, bigint>>>

/** How much of one token may move. Unset filters match everything. */
export interface AmountLimit {
  readonly name: string
  readonly token: string
  readonly blockchain: string | undefined
  readonly venue: string | undefined
  readonly wallet: string | undefined
  readonly does: 'supply' | 'withdraw' | undefined
  /** The caps apply to each venue, or to each wallet, separately. */
  readonly each: 'venue' | 'wallet' | undefined
  /** By chain: what one base unit of the token is there, in units of `decimals`. */
  readonly scale: ReadonlyMap<string, bigint>
  /** The most decimals that the token has on any of its chains; the caps are in these units. */
  readonly decimals: number
  readonly caps: Caps
}

/** What transactions on one chain may cost together, in wei or lamports. */
export interface FeeLimit {
  readonly name: string
  readonly blockchain: string
  readonly caps: Caps
}

export interface Limits {
  readonly amounts: readonly AmountLimit[]
  readonly fees: readonly FeeLimit[]
}

export const NO_LIMITS: Limits = { amounts: [], fees: [] }
