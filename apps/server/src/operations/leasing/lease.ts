/** A transaction that was chosen for an agent, while its bytes are looked for. */
export interface TransactionClaim {
  readonly organizationId: number
  readonly transactionId: number
  readonly operationId: number
  readonly blockchain: string
  readonly leaseToken: string
  /** Whether its bytes were given to an agent before. */
  readonly wasIssued: boolean
}

/** Until when an agent alone has a transaction, and the word that it shows for it. */
export interface Lease {
  readonly leaseToken: string
  readonly claimedAt: Date
  readonly leasedUntil: Date
}
