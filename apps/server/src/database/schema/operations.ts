import type { Generated } from 'kysely'
import type { JsonColumn, JsonOrNull, Now, Optional, WithDefault } from './column-types.ts'
import type { AuditActorType } from './identity.ts'

/** REVOKE: takes back the allowance that an ended supply left; it moves nothing. */
export type OperationType = 'SUPPLY' | 'UNWIND' | 'REVOKE'

export type OperationState =
  | 'PLANNING'
  | 'PENDING_APPROVAL'
  | 'EXECUTING'
  | 'CONFIRMING'
  | 'COMPLETED'
  | 'FAILED'
  | 'REJECTED'
  | 'ABORTED'

/** Why an operation ended without effect. */
export type FailureReason = 'CANCELLED' | 'SUPERSEDED' | 'EXPIRED' | 'ONCHAIN' | 'SUBMISSION' | 'REJECTED' | 'ABORTED'

export type OperationOrigin = 'client' | 'explicit' | 'rebalancer'
export type Executor = 'client' | 'agent'
export type AgentStage = 'waiting' | 'ready' | 'leased' | 'paused' | 'withheld' | 'sent' | 'done'
export type TransactionKind =
  | 'approve_reset'
  | 'approve'
  | 'supply'
  | 'unwind'
  | 'exit_request'
  | 'exit_claim'
  | 'revoke'
export type TransactionStatus = 'unsigned' | 'pending' | 'confirmed' | 'failed'

export interface OperationsTables {
  operations: {
    organization_id: number
    id: Generated<number>
    wallet_id: number
    /** Its wallet's; filled by the database. */
    wallet_profile_id: Generated<number>
    strategy_id: number
    type: OperationType
    executor: Executor
    /** A state of operation-states.ts. */
    state: OperationState
    /** Null: the whole position. */
    amount: Optional<bigint>
    /** What really moved. */
    settled_amount: Optional<bigint>
    /** The operations that this one superseded. */
    cancelled_operations: WithDefault<number[]>
    expires_at: Optional<Date>
    failure_reason: Optional<FailureReason>
    /** Set when a hash that was reported belongs to another transaction. */
    flag_reason: Optional<string>
    /** Null for operations that a client planned on v1. */
    op_wallet_id: Optional<number>
    origin: WithDefault<OperationOrigin>
    /** For people only; nothing decides by it. */
    reasons: JsonOrNull<Record<string, unknown>>
    /** What it moves; of a whole position its value when it was planned. */
    planned_value: Optional<bigint>
    /** The whole move that the operation is a part of, and the parts planned after it; moves of the rebalancer only. */
    move_total: Optional<bigint>
    move_remaining: Optional<bigint>
    /** The state of the catalogue that a move of the rebalancer was planned by. */
    catalogue_fingerprint: Optional<string>
    /** Who requested it; null for operations planned before requesters were stored. */
    requested_by_type: Optional<AuditActorType>
    /** Null for the service itself. */
    requested_by_id: Optional<number>
    /** The member who holds the secret of the service account that requested it: their approval does not count. */
    requester_user_id: Optional<number>
    required_approvals: WithDefault<number>
    /** The policy's rule when the operation was planned. */
    requester_may_approve: WithDefault<boolean>
    approval_rule: Optional<string>
    approved_at: Optional<Date>
    rejected_at: Optional<Date>
    /** When mails to those who may approve were queued; null while they are due. */
    approvers_notified_at: Optional<Date>
    /** Decimal fraction; known once it is completed. */
    actual_apy: Optional<number>
    created_at: Now
    updated_at: Now
    completed_at: Optional<Date>
  }
  operation_approvals: {
    organization_id: number
    operation_id: number
    user_id: number
    decision: 'approve' | 'reject'
    created_at: Now
    /** The passkey that signed the approval; null, like the next three, for an approval without a signature. */
    credential_id: Optional<Buffer>
    /** The statement of the authenticator: relying party, flags and counter. */
    authenticator_data: Optional<Buffer>
    /** What the browser signed for, as JSON: type, challenge and origin. */
    client_data: Optional<Buffer>
    /** Over both. */
    signature: Optional<Buffer>
    /** Why the member decided so, in their words. */
    reason: Optional<string>
    /** Where the evidence is, such as an invoice or a ticket. */
    link: Optional<string>
  }
  reservations: {
    organization_id: number
    operation_id: number
    wallet_id: number
    token_address: string
    amount: bigint
    /** The part that the ledger holds as reserved; the rest is not final on chain yet. */
    covered: bigint
    created_at: Now
    /** Null while the amount is reserved. */
    released_at: Optional<Date>
  }
  transactions: {
    organization_id: number
    id: Generated<number>
    operation_id: number
    position: number
    kind: TransactionKind
    state: TransactionStatus
    blockchain: string
    sender: string
    description: string
    call: JsonColumn<Record<string, unknown>>
    nonce: Optional<number>
    /** Null while an agent's transaction waits to be claimed. */
    unsigned_bytes: Optional<string>
    /** Solana only. */
    blockhash: Optional<string>
    last_valid_block_height: Optional<number>
    valid_until: Optional<Date>
    /** Its bytes could still be included in a block. */
    can_still_land: boolean
    tx_hash: Optional<string>
    submitted_at: Optional<Date>
    /** When a node last knew it. */
    last_seen_at: Optional<Date>
    block_number: Optional<number>
    block_hash: Optional<string>
    included_at: Optional<Date>
    finalized_at: Optional<Date>
    failure_code: Optional<string>
    error: Optional<string>
    revert_reason: Optional<string>
  }
  /** Supplies of operational wallets that ended after their approval was signed, until the allowance is gone. */
  left_allowances: {
    organization_id: number
    operation_id: number
    op_wallet_id: number
    strategy_id: number
    left_at: Date
  }
  transaction_hashes: {
    organization_id: number
    blockchain: string
    tx_hash: string
    transaction_id: number
    source: 'signed' | 'hash' | 'recover' | 'watcher' | 'agent'
    /** Signed bytes, where the service holds them. */
    raw: Optional<string>
    /** When a node accepted them; null: they are sent again. */
    broadcast_at: Optional<Date>
    created_at: Now
  }
  agent_work: {
    organization_id: number
    transaction_id: number
    operation_id: number
    /** The transaction's place within its operation. */
    position: number
    blockchain: string
    sender: string
    stage: WithDefault<AgentStage>
    /** From when an agent may claim it. */
    available_at: Date
    lease_token: Optional<string>
    leased_until: Optional<Date>
    claimed_at: Optional<Date>
    lease_count: WithDefault<number>
    /** When bytes were issued for the first time. */
    issued_at: Optional<Date>
    failed_check_count: WithDefault<number>
    first_failed_check_at: Optional<Date>
    withheld_at: Optional<Date>
    pause_reason: Optional<string>
    /** When a replacement of its submitted transaction was issued; null: none, or an agent has reported it. */
    replacement_issued_at: Optional<Date>
    report: JsonOrNull<Record<string, unknown>>
    reported_at: Optional<Date>
    created_at: Now
  }
  chain_nonces: {
    blockchain: string
    address: string
    latest_count: number
    /** The block that the latest count was seen in, or a later one. */
    latest_block: WithDefault<number>
    final_count: WithDefault<number>
  }
  /** Wallets whose settlement failed, waiting for another attempt. */
  quarantined_wallets: {
    organization_id: number
    wallet_id: number
    blockchain: string
    since: Now
    attempts: number
    next_attempt_at: Now
    error: string
  }
  /** The blocks that are still to be settled for them. */
  quarantined_blocks: {
    organization_id: number
    wallet_id: number
    block_number: number
  }
}
