import type { SimulationResult, TreasuryPayment } from '../../chains/index.ts'

/** Signed bytes that wait to be stored. */
interface SignedPayment {
  readonly raw: string
  readonly hash: string
}

/** Payments whose chain reads are done. */
export interface PreparedPayments {
  /** Whether they would succeed, one after the other. */
  readonly simulation: SimulationResult
  /** The least number that the next payment may have, as far as the chain knows. */
  readonly nextNumber: number
  /** The number is the nonce on EVM chains; on Solana it stands in the memo. */
  sign(number: number, payment: TreasuryPayment): Promise<SignedPayment>
}

/** The purse of an embedded chain. DEVELOPMENT ONLY: its key is public. Faults never strike it. */
export interface Treasury {
  readonly address: string
  /** Hex on EVM chains, base64 on Solana. */
  readonly key: string
  /** What a first call of the faucet for an address adds, in native base units. */
  readonly gasGift: bigint
  /** The most that one call gives. More would in time empty the treasury, or overflow a token's total supply. */
  readonly limits: { readonly native: bigint; readonly token: bigint }
  prepare(payments: readonly TreasuryPayment[]): Promise<PreparedPayments>
  /** Payments with this number or a higher one may be missing on chain though they were seen there. */
  firstUnfinalizedNonce(): Promise<number>
}
