/** Bytes that were signed, as they are kept before anything of them leaves the process (rule 5). */
export interface SignedTransaction {
  readonly transactionId: number
  readonly operationId: number
  readonly blockchain: string
  readonly signer: string
  /** As it was handed out. */
  readonly unsigned: string
  /** What is sent: hex on EVM, base64 on Solana. */
  readonly raw: string
  /** Transaction hash, or first signature: known before anything is sent. */
  readonly hash: string
  /** Null on Solana. */
  readonly nonce: number | null
  /** What it does, as one text: two with the same one move the same money in the same way. */
  readonly meaning: string
  /** By the list of the agent; what follows in the same operation stays there. */
  readonly venue: string
  readonly leaseToken: string | null
  /** Which chain it is meant for: the hash of its first block. */
  readonly genesis: string
  /** Solana: the block height when it was signed, from which it is known when its blockhash is too old. */
  readonly height: number | null
}

/** How signed bytes ended, as far as this agent has to care. */
export type FinalOutcome = 'final' | 'dead' | 'refused' | 'other-chain'
