/** The curve of a chain's keys: secp256k1 on EVM, Ed25519 on Solana. */
export type Family = 'evm' | 'svm'

export function familyOf(blockchain: string): Family {
  return blockchain === 'solana' ? 'svm' : 'evm'
}

export interface SignRequest {
  readonly blockchain: string
  readonly family: Family
  /** The signing address. */
  readonly address: string
  /** The payload to sign: the 32-byte digest on EVM, the message on Solana. */
  readonly payload: Uint8Array
  /** The unsigned transaction as issued, for signers with their own rules. */
  readonly unsigned: string
  readonly transactionId: number
  readonly operationId: number
  /** The verified meaning, for the signer's own rules and records. */
  readonly meaning: Readonly<Record<string, string | null>>
  /** Names of the people whose signed approvals the agent checked; empty when it requires none. */
  readonly approvedBy: readonly string[]
}

export interface CreateKeyRequest {
  readonly blockchain: string
  readonly family: Family
  readonly label: string
  /** An idempotency reference: repeating a request with it creates no second key. */
  readonly reference: string
}

/** A text that a new key signs to prove that the signer holds it. */
export interface ProofRequest {
  readonly blockchain: string
  readonly family: Family
  readonly address: string
  readonly challenge: string
}

/** The holder of the keys. The agent checks every signature, so it notices a faulty signer before sending anything. */
export interface Signer {
  readonly kind: string
  holds(address: string): Promise<boolean>
  /**
   * 64 bytes: r and s, or an Ed25519 signature. Throws {@link SignerRefused} on a permanent refusal and
   * {@link SignerUnavailable} when a retry may help. `signal` aborts the wait.
   */
  sign(request: SignRequest, signal: AbortSignal): Promise<Uint8Array>
  /**
   * Signs a challenge: on EVM as a personal message (EIP-191), on Solana its UTF-8 bytes. Returns and throws as
   * {@link Signer.sign}.
   */
  prove(request: ProofRequest): Promise<Uint8Array>
  /** Creates a key, or finds the one created earlier with this reference. `keyId` is the signer's own name for it. */
  createKey(request: CreateKeyRequest): Promise<{ readonly address: string; readonly keyId: string }>
}

export class SignerRefused extends Error {
  override readonly name = 'SignerRefused'
}

export class SignerUnavailable extends Error {
  override readonly name = 'SignerUnavailable'
}
