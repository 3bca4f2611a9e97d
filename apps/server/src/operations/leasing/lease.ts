/** A transaction that was selected for an agent, while its bytes are being prepared. */
export interface TransactionClaim {
  readonly organizationId: number
  readonly transactionId: number
  readonly operationId: number
  readonly blockchain: string
  readonly leaseToken: string
  /** Whether its bytes were issued to an agent before. */
  readonly wasIssued: boolean
}

/** An agent's exclusive hold on a transaction until `leasedUntil`, proved with `leaseToken`. */
export interface Lease {
  readonly leaseToken: string
  readonly claimedAt: Date
  readonly leasedUntil: Date
}
