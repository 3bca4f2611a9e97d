/** Signed bytes, stored before anything leaves the process (rule 5). */
export interface SignedTransaction {
  readonly transactionId: number
  readonly operationId: number
  readonly blockchain: string
  readonly signer: string
  /** The unsigned bytes as issued. */
  readonly unsigned: string
  /** The bytes to send: hex on EVM, base64 on Solana. */
  readonly raw: string
  /** Transaction hash, or first signature on Solana; known before sending. */
  readonly hash: string
  /** Null on Solana. */
  readonly nonce: number | null
  /** The meaning as one text: equal texts move the same money in the same way. */
  readonly meaning: string
  /** The venue by its name in the agent's list; later transactions of the operation must use the same one. */
  readonly venue: string
  readonly leaseToken: string | null
  /** The chain it was signed for: the hash of its first block. */
  readonly genesis: string
  /** Solana: the block height at signing, which bounds the life of its blockhash. */
  readonly height: number | null
  /** The key of its reservation; unset where an agent without limits signed it. */
  readonly reservation?: string
}

/** How signed bytes ended, as far as the agent needs to know. */
export type FinalOutcome = 'final' | 'dead' | 'refused' | 'other-chain'
