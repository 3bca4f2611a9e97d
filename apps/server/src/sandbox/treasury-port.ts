import type { SimulationResult, TreasuryPayment } from '../chains/index.ts'

/** Signed bytes to store. */
interface SignedPayment {
  readonly raw: string
  readonly hash: string
}

/** Payments after all chain reads. */
export interface PreparedPayments {
  /** Whether they would succeed, one after another. */
  readonly simulation: SimulationResult
  /** The lowest number that the next payment may have, according to the chain. */
  readonly nextNumber: number
  /** The number is the nonce on EVM chains and part of the memo on Solana. */
  sign(number: number, payment: TreasuryPayment): Promise<SignedPayment>
}

/** The source of funds on an embedded chain. DEVELOPMENT ONLY: its key is public. Faults do not affect it. */
export interface Treasury {
  readonly address: string
  /** Hex on EVM chains, base64 on Solana. */
  readonly key: string
  /** Native base units that the faucet adds on the first call for an address. */
  readonly gasGift: bigint
  /** Maximum of one call. More would eventually empty the treasury or overflow a token's total supply. */
  readonly limits: { readonly native: bigint; readonly token: bigint }
  prepare(payments: readonly TreasuryPayment[]): Promise<PreparedPayments>
  /**
   * The number, for each of these senders, from which on their payments may be in no block, even after they were seen in
   * one. Throws CHAIN_UNAVAILABLE.
   */
  firstUnfinalizedNonces(senders: readonly string[]): Promise<number[]>
}
