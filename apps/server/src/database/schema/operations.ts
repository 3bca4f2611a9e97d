import type { Generated } from 'kysely'
import type { JsonColumn, JsonOrNull, Now, Optional, WithDefault } from './column-types.ts'
import type { AuditActorType } from './identity-audit.ts'

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
/**
 * What the rebalancer plans an operation for. `evacuation`: a circuit breaker withdraws all of a position. `requested`: a
 * part of an awaited withdrawal.
 */
export type MovePurpose = 'requested' | 'deployment' | 'refill' | 'evacuation' | 'claim' | 'revocation'
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
    /** SUPPLY, UNWIND or REVOKE. */
    type: OperationType
    /** Who signs: a client, or a custody agent. */
    executor: Executor
    /** A state of operation-states.ts. */
    state: OperationState
    /** Null: the whole position. */
    amount: Optional<bigint>
    /** What really moved. */
    settled_amount: Optional<bigint>
    /** The operations that this one superseded. */
    cancelled_operations: WithDefault<number[]>
    /** The deadline for a client to submit; null for operations of agents. */
    expires_at: Optional<Date>
    /** Why it ended without effect; kept if it lands late after all. */
    failure_reason: Optional<FailureReason>
    /** Set when a hash that was reported belongs to another transaction. */
    flag_reason: Optional<string>
    /** Null for operations that a client planned on v1. */
    op_wallet_id: Optional<number>
    /** Who wanted it: a client on v1, a person or machine on core, or the rebalancer. */
    origin: WithDefault<OperationOrigin>
    /** Whether Weir chose the strategy of a deployment that was requested without one. */
    is_strategy_chosen: WithDefault<boolean>
    /** For people only; nothing decides by it. */
    reasons: JsonOrNull<Record<string, unknown>>
    /** What it moves; of a whole position its value when it was planned. */
    planned_value: Optional<bigint>
    /** The whole move that the operation is a part of, and the parts planned after it; moves of the rebalancer only. */
    move_total: Optional<bigint>
    /** What was left for the parts after this one, in base units. */
    move_remaining: Optional<bigint>
    /** The state of the catalogue that a move of the rebalancer was planned by. */
    catalogue_fingerprint: Optional<string>
    /** Moves of the rebalancer and parts of awaited withdrawals only; null for those planned before it was stored. */
    purpose: Optional<MovePurpose>
    /** Who requested it; null for operations planned before requesters were stored. */
    requested_by_type: Optional<AuditActorType>
    /** Null for the service itself. */
    requested_by_id: Optional<number>
    /** The member who holds the secret of the service account that requested it: their approval does not count. */
    requester_user_id: Optional<number>
    /** How many approvals it needs, as the policy said when it was planned. */
    required_approvals: WithDefault<number>
    /** The policy's rule when the operation was planned. */
    requester_may_approve: WithDefault<boolean>
    /** The name of the rule that decided; null: none did. */
    approval_rule: Optional<string>
    /** When the last required approval arrived; null: none was required, or one is missing. */
    approved_at: Optional<Date>
    /** REJECTED only: when a person or the policy rejected it. */
    rejected_at: Optional<Date>
    /** When emails to those who may approve were queued; null while they are due. */
    approvers_notified_at: Optional<Date>
    /** Decimal fraction; known once it is completed. */
    actual_apy: Optional<number>
    created_at: Now
    updated_at: Now
    /** When it ended, in whatever state; null while it is unfinished. */
    completed_at: Optional<Date>
  }
  operation_approvals: {
    organization_id: number
    operation_id: number
    user_id: number
    /** approve or reject. */
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
    /** SHA-256 of the evidence in lower-case hex. */
    file_sha256: Optional<string>
  }
  reservations: {
    organization_id: number
    operation_id: number
    wallet_id: number
    token_address: string
    /** In base units. */
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
    /** Its place within the operation, from 0. */
    position: number
    /** What it does: a token approval, a supply, an unwind, a step of an exit, or a revocation. */
    kind: TransactionKind
    /**
     * The status that the interface shows; with `can_still_land` and the block it makes a state of
     * transaction-states.ts.
     */
    state: TransactionStatus
    blockchain: string
    sender: string
    description: string
    /** What it calls: contract and data, or instructions and accounts. */
    call: JsonColumn<Record<string, unknown>>
    /** EVM only; null until bytes are built. */
    nonce: Optional<number>
    /** Null while an agent's transaction waits to be claimed. */
    unsigned_bytes: Optional<string>
    /** Solana only. */
    blockhash: Optional<string>
    /** Solana: the last block that can include the bytes. */
    last_valid_block_height: Optional<number>
    /** When the bytes go stale, if that is known. */
    valid_until: Optional<Date>
    /** Its bytes could still be included in a block. */
    can_still_land: boolean
    /** The hash that counts; `transaction_hashes` has all. */
    tx_hash: Optional<string>
    /** When it was submitted; null: not yet. */
    submitted_at: Optional<Date>
    /** When a node first knew it; null before that, and where an earlier version saw it: then `last_seen_at` counts. */
    first_seen_at: Optional<Date>
    /** When a node last knew it. */
    last_seen_at: Optional<Date>
    /** The block that it is in; null: none. */
    block_number: Optional<number>
    block_hash: Optional<string>
    /** The time of that block, by the chain's clock. */
    included_at: Optional<Date>
    /** When that block was final; null: not yet. */
    finalized_at: Optional<Date>
    /** Why it failed on chain (spec 7.4). */
    failure_code: Optional<string>
    /** The same in words. */
    error: Optional<string>
    /** What the contract said when it reverted. */
    revert_reason: Optional<string>
  }
  /** Supplies of operational wallets that ended after their approval was signed, until the allowance is gone. */
  left_allowances: {
    organization_id: number
    operation_id: number
    op_wallet_id: number
    strategy_id: number
    /** When the supply ended. */
    left_at: Date
  }
  transaction_hashes: {
    organization_id: number
    blockchain: string
    tx_hash: string
    transaction_id: number
    /** Who said it: signed bytes, a reported hash, a recovery, the follower or an agent. */
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
    /** A state of agent-work-states.ts. */
    stage: WithDefault<AgentStage>
    /** From when an agent may claim it. */
    available_at: Date
    /** The token of the latest claim. Once it is a lease, only its holder may report FAILED. */
    lease_token: Optional<string>
    /** When the lease ends; null: none. */
    leased_until: Optional<Date>
    /** When the lease began; null while bytes are being prepared for it. */
    claimed_at: Optional<Date>
    /** The token of the lease before the latest claim. */
    last_lease_token: Optional<string>
    /** When that lease began. */
    last_leased_at: Optional<Date>
    /** How many leases the current bytes have had. */
    lease_count: WithDefault<number>
    /** When bytes were issued for the first time. */
    issued_at: Optional<Date>
    /** How often in a row the check before issuing refused; three times over five minutes abort the operation. */
    failed_check_count: WithDefault<number>
    /** The first of these. */
    first_failed_check_at: Optional<Date>
    /** When an agent reported FAILED for bytes that others may have, or a breaker or limit stopped their deployment. */
    withheld_at: Optional<Date>
    /** Who withheld it: an agent that reported FAILED, or Weir for a breaker or limit; null: nobody. */
    withheld_by: Optional<'agent' | 'weir'>
    /** Why its bytes were not issued, for people. */
    pause_reason: Optional<string>
    /** When a replacement of its submitted transaction was issued; null: none, or an agent has reported it. */
    replacement_issued_at: Optional<Date>
    /** The reports about it, oldest first. */
    report: JsonOrNull<Record<string, unknown>>
    /** The last of them. */
    reported_at: Optional<Date>
    created_at: Now
  }
  chain_nonces: {
    blockchain: string
    address: string
    /** How many transactions of the address nodes have counted, up to the latest block. */
    latest_count: number
    /** The block that the latest count was seen in, or a later one. */
    latest_block: WithDefault<number>
    /** How many of them are final. */
    final_count: WithDefault<number>
  }
  /** Wallets whose settlement failed, waiting for another attempt. */
  quarantined_wallets: {
    organization_id: number
    wallet_id: number
    blockchain: string
    /** When settling first failed. */
    since: Now
    /** How often it failed. */
    attempts: number
    /** When it is tried again. */
    next_attempt_at: Now
    /** Why it last failed. */
    error: string
  }
  /** The blocks that are still to be settled for them. */
  quarantined_blocks: {
    organization_id: number
    wallet_id: number
    block_number: number
    /** Later blocks of the wallet were settled before it. */
    is_past: Generated<boolean>
  }
}
