/** What was approved, in the terms of an agent transaction (spec 2.2). */
export interface Intent {
  readonly blockchain: string
  readonly type: 'SUPPLY' | 'UNWIND'
  /** The step of the operation that these bytes claim to be; unset: any step. */
  readonly step?: string | undefined
  /** The wallet that signs, pays, and is the only receiver. */
  readonly signer: string
  /** Symbol. */
  readonly token: string
  /** Decimal, in whole tokens. */
  readonly amount: string
  /** A full unwind: the venue determines amounts and shares; the wallet is still the only receiver. */
  readonly full?: boolean | undefined
  /** Carried in the memo on Solana. */
  readonly transactionId: number
  /** The protocol that the operation claims to use; unset: any on the list. */
  readonly protocol?: string | undefined
  /** The venue by its name in the list, when an earlier transaction of the operation used it. */
  readonly venue?: string | undefined
}

/** What a verified transaction does. Equal meanings move the same money in the same way. */
export interface Meaning {
  readonly blockchain: string
  readonly signer: string
  readonly does: 'approve' | 'reset-approval' | 'supply' | 'withdraw'
  /** Name in the list. */
  readonly venue: string
  readonly protocol: string
  /** Address. */
  readonly token: string
  /** Base units; null: the whole position. */
  readonly amount: bigint | null
  /** Where the call states shares: the maximum, or the minimum for a deposit. */
  readonly shares: bigint | null
}

/** Fields that do not change the meaning, within the caps of the list. */
export type Envelope =
  | { readonly family: 'evm'; readonly nonce: number; readonly maxCost: bigint }
  | {
      readonly family: 'svm'
      readonly blockhash: string
      /** Lamports: signature and priority fee. */
      readonly maxCost: bigint
      /** Lamports that the wallet deposits for a token account of its own, if that account does not exist yet. */
      readonly rent: bigint
    }

/** A decimal string in base units; undefined when it is malformed or finer than the token. */
export function baseUnits(decimal: string, decimals: number): bigint | undefined {
  const match = /^([0-9]{1,60})(?:\.([0-9]{1,60}))?$/.exec(decimal)
  if (!match) return undefined
  const [, whole = '', fraction = ''] = match
  const exact = fraction.replace(/0+$/, '')
  if (exact.length > decimals) return undefined
  return BigInt(whole + exact.padEnd(decimals, '0'))
}

/** Base units as a decimal string of whole tokens, without trailing zeros. */
export function decimalText(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(whole.length).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
