/** What was approved, in the words of the work that an agent is handed (spec 2.2, agent transaction). */
export interface Intent {
  readonly blockchain: string
  readonly type: 'SUPPLY' | 'UNWIND'
  /** Which part of the operation these bytes say they are; unset: any part of it. */
  readonly step?: string | undefined
  /** The wallet: signs, pays, and alone receives what comes of it. */
  readonly signer: string
  /** Symbol. */
  readonly token: string
  /** Decimal, in whole tokens. */
  readonly amount: string
  /** An unwind of everything: then amounts and shares are the venue's to say, and the wallet still the only receiver. */
  readonly full?: boolean | undefined
  /** On Solana the memo carries it. */
  readonly transactionId: number
  /** The protocol that the operation is said to use; unset: any on the list. */
  readonly protocol?: string | undefined
  /** The venue, by its name in the list, when an earlier transaction of the operation named it. */
  readonly venue?: string | undefined
}

/** What a verified transaction does: two with the same meaning move the same money in the same way. */
export interface Meaning {
  readonly blockchain: string
  readonly signer: string
  readonly does: 'approve' | 'reset-approval' | 'supply' | 'withdraw'
  /** By its name in the list. */
  readonly venue: string
  readonly protocol: string
  /** Address. */
  readonly token: string
  /** Base units; null: everything that the position holds. */
  readonly amount: bigint | null
  /** Where the venue is told shares: how many at most, or at least for a deposit. */
  readonly shares: bigint | null
}

/** What does not change the meaning, within the caps of the list. */
export type Envelope =
  | { readonly family: 'evm'; readonly nonce: number; readonly maxCost: bigint }
  | { readonly family: 'svm'; readonly blockhash: string; readonly maxCost: bigint }

/** A decimal in base units; undefined for what is none, or is finer than the token. */
export function baseUnits(decimal: string, decimals: number): bigint | undefined {
  const match = /^([0-9]{1,60})(?:\.([0-9]{1,60}))?$/.exec(decimal)
  if (!match) return undefined
  const [, whole = '', fraction = ''] = match
  const exact = fraction.replace(/0+$/, '')
  if (exact.length > decimals) return undefined
  return BigInt(whole + exact.padEnd(decimals, '0'))
}
