/** How a chain's keys are made: secp256k1 on EVM, Ed25519 on Solana. */
export type Family = 'evm' | 'svm'

export function familyOf(blockchain: string): Family {
  return blockchain === 'solana' ? 'svm' : 'evm'
}

export interface SignRequest {
  readonly blockchain: string
  readonly family: Family
  /** Whose signature is wanted. */
  readonly address: string
  /** What is signed: the 32-byte digest on EVM, the message on Solana. */
  readonly payload: Uint8Array
  /** As it was handed out; a signer with rules of its own reads it. */
  readonly unsigned: string
  readonly transactionId: number
  readonly operationId: number
  /** What was verified, for the signer's own rules and records. */
  readonly meaning: Readonly<Record<string, string | null>>
}

export interface CreateKeyRequest {
  readonly blockchain: string
  readonly family: Family
  readonly label: string
  /** The same for every repetition of one request: it makes one key. */
  readonly reference: string
}

/** What holds the keys. The agent checks every signature itself, so a signer that errs is noticed before anything is sent. */
export interface Signer {
  readonly kind: string
  holds(address: string): Promise<boolean>
  /**
   * 64 bytes: r and s, or an Ed25519 signature. Throws {@link SignerRefused} for a no that stays no, and
   * {@link SignerUnavailable} when asking again may help. `signal` ends the wait for people or machines.
   */
  sign(request: SignRequest, signal: AbortSignal): Promise<Uint8Array>
  /** Makes a key, or finds the one that this reference made before. `keyId` names it where it is kept. */
  createKey(request: CreateKeyRequest): Promise<{ readonly address: string; readonly keyId: string }>
}

export class SignerRefused extends Error {
  override readonly name = 'SignerRefused'
}

export class SignerUnavailable extends Error {
  override readonly name = 'SignerUnavailable'
}
