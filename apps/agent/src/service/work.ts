/** A transaction as the service issues it (spec 2.2). */
export interface AgentTransaction {
  readonly id: number
  readonly operationId: number
  readonly unsignedTx: string
  readonly metadata: {
    readonly blockchain: string
    readonly walletId: number
    /** Pinned on first use. The signing wallet is always the only receiver. */
    readonly walletAddress: string
    /** Decimal. */
    readonly amount: string
    readonly token: string
    readonly type: string
    readonly step?: string
    /** An unwind of everything. */
    readonly full?: boolean
    readonly protocol?: string
  }
  /** Signed approvals, if the organization uses them; checked as of unknown form. */
  readonly approval?: unknown
  readonly claimedAt: string
  readonly leaseExpiresAt: string
  readonly leaseToken?: string
}

export interface AgentAction {
  readonly id: number
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly createdAt?: string
  readonly leaseExpiresAt: string
  readonly leaseToken?: string
  /** What a new key signs; absent from services of earlier versions. */
  readonly challenge?: string
}

export type TransactionReport =
  | { readonly status: 'SUBMITTED'; readonly txHash: string }
  | { readonly status: 'FAILED'; readonly error: string }

export type ActionReport =
  | {
      readonly status: 'SUCCESS'
      readonly result: { readonly address: string; readonly signatureId: string; readonly signature?: string }
    }
  | { readonly status: 'FAILED'; readonly error: string }
