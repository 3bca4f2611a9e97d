import type { Generated } from 'kysely'
import type { JsonColumn, JsonOrNull, Now, Optional, WithDefault } from './column-types.ts'
import type { AuditActorType } from './identity-audit.ts'

export type RampDirection = 'onramp' | 'offramp'
export type RampRail = 'ach' | 'fedwire' | 'swift'
export type KybStatus = 'pending' | 'submitted' | 'approved' | 'declined'

export type RampStatus =
  | 'pending'
  | 'processing'
  | 'in_progress'
  | 'awaiting_confirmation'
  | 'broadcasted'
  | 'completed'
  | 'failed'
  | 'rejected'
  | 'reversed'

export type FiatAccount = 'bank' | 'in_transit' | 'customer' | 'fees' | 'claims'

export interface RampTables {
  ramp_terms: {
    organization_id: number
    /** Hundredths of a percent of each payment. */
    fee_basis_points: number
    /** The share of the fee that is the developer fee, in hundredths of a percent. */
    developer_share_basis_points: number
  }
  ramp_customers: {
    organization_id: number
    id: Generated<number>
    /** The organization itself, or a recipient. */
    kind: 'organization' | 'recipient'
    /** Plain text in rows of versions before sealing only, like the others without a seal; then empty. */
    name: string
    /** Sealed, like the others with this prefix. */
    sealed_name: Optional<Buffer>
    /** As the organization says; business by default. */
    type: string
    external_id: Optional<string>
    /** Sealed. */
    sealed_external_id: Optional<Buffer>
    /** A keyed hash that finds an external id within its organization. */
    external_id_index: Optional<Buffer>
    /** Plain text in rows of versions before sealing only. */
    address: JsonOrNull<Record<string, string>>
    /** Sealed. */
    sealed_address: Optional<Buffer>
    /** A state of kyb-states.ts; null until the verification starts. */
    kyb_status: Optional<KybStatus>
    kyb_link: Optional<string>
    /** Sealed. */
    sealed_kyb_link: Optional<Buffer>
    /** The banking partner's id of the verification. */
    kyb_reference: Optional<string>
    /** Counts the verifications: a declined one can start again. */
    kyb_attempt: WithDefault<number>
    /** The newest event of the banking partner that was applied. */
    kyb_sequence: WithDefault<number>
    created_at: Now
    /** Null: created by an earlier version. */
    created_by_type: Optional<AuditActorType>
    created_by_id: Optional<number>
    /** When it was archived; nothing new starts for it. */
    archived_at: Optional<Date>
    /** When the personal data was destroyed. */
    erased_at: Optional<Date>
  }
  ramp_accounts: {
    organization_id: number
    id: Generated<number>
    direction: RampDirection
    customer_id: number
    wallet_id: number
    blockchain: string
    asset: string
    token_address: string
    /** How money moves to or from the bank. */
    rail: RampRail
    /** The rails that the bank takes payments by. */
    capabilities: RampRail[]
    /** An archived account takes no new payment. */
    status: 'active' | 'archived'
    /** The banking partner's id of the account. */
    provider_reference: string
    /** Plain text in rows of versions before sealing only, like the others without a seal; then empty. */
    bank_name: string
    /** Sealed, like the others with this prefix. */
    sealed_bank_name: Optional<Buffer>
    routing_number: string
    /** Sealed. */
    sealed_routing_number: Optional<Buffer>
    /** Sealed. */
    account_number: Buffer
    account_number_last4: string
    /** Off-ramp: checking or savings. */
    account_type: Optional<string>
    account_holder: Optional<string>
    /** Sealed. */
    sealed_account_holder: Optional<Buffer>
    /** Off-ramp: tokens that arrive there are paid out. */
    deposit_address: Optional<string>
    created_at: Now
    /** Null: created by an earlier version. */
    created_by_type: Optional<AuditActorType>
    created_by_id: Optional<number>
    /** When the bank details were destroyed. */
    erased_at: Optional<Date>
  }
  ramp_transactions: {
    organization_id: number
    id: Generated<number>
    direction: RampDirection
    customer_id: number
    account_id: number
    blockchain: string
    source_asset: string
    destination_asset: string
    token_decimals: number
    /** The amount on the side of the bank, before fees, in cents. */
    usd_cents: bigint
    /** The whole fee, in cents. */
    fee_cents: bigint
    /** The part of the fee that is the developer fee, in cents. */
    developer_fee_cents: bigint
    /** On-ramp: delivered; off-ramp: received, dust included. In base units. */
    token_amount: bigint
    /** The part of `token_amount` below a whole cent. */
    dust: WithDefault<bigint>
    /** US dollars for one token, as text. */
    exchange_rate: string
    payment_rail: string
    payment_reference: string
    /** The transfer of the tokens. */
    tx_hash: Optional<string>
    /** The transfer that returned them. */
    return_tx_hash: Optional<string>
    /** A state of ramp-transaction-states.ts. */
    status: RampStatus
    /** Every status with its time, oldest first. */
    status_history: JsonColumn<{ status: RampStatus; timestamp: string }[]>
    /** Why it failed, was rejected or was reversed. */
    failure_reason: Optional<string>
    /** The banking partner's id of the payment. */
    provider_reference: string
    /** The newest event of the banking partner that was applied. */
    provider_sequence: number
    created_at: Now
    /** Null: not simulated, or by an earlier version. */
    created_by_type: Optional<AuditActorType>
    created_by_id: Optional<number>
    /** When it completed; kept if it is reversed. */
    completed_at: Optional<Date>
  }
  ramp_provider_events: {
    provider: string
    event_id: string
    /** The banking partner's id of what the event is about. */
    subject: string
    /** The order of the events about one subject. */
    sequence: number
    /** What the event says. */
    status: string
    /** What it changed: applied, overtaken by a later one, contradicting the state, or about nothing known. */
    outcome: 'applied' | 'overtaken' | 'contradicts' | 'unknown'
    /** When it was first received. */
    received_at: Now
  }
  ramp_deposits: {
    organization_id: number
    id: Generated<number>
    account_id: number
    blockchain: string
    tx_hash: string
    /** Its place among the transfers of the transaction. */
    position: number
    token_address: string
    sender: Optional<string>
    /** In base units. */
    amount: bigint
    block_number: number
    /** When it was final and recorded. */
    detected_at: Now
    /** When it is passed to the banking partner, or tried again; null: it was, or the partner watches its addresses. */
    next_attempt_at: Optional<Date>
    /** How often that failed. */
    attempts: Generated<number>
    /** Why it last failed. */
    error: Optional<string>
  }
  ramp_deferred_blocks: {
    blockchain: string
    block_number: number
    /** When it first failed. */
    since: Date
    attempts: number
    /** When it is tried again. */
    next_attempt_at: Date
    /** Why it last failed. */
    error: string
  }
  fiat_entries: {
    organization_id: number
    id: Generated<number>
    transaction_id: number
    /** What happened to the payment. */
    kind: string
    created_at: Now
  }
  fiat_postings: {
    organization_id: number
    entry_id: number
    /** An account of the fiat ledger. */
    account: FiatAccount
    /** In cents; the postings of an entry sum to zero. */
    cents: bigint
  }
  ramp_sandbox_applications: {
    reference: string
    /** A hash of the token in the link to the form. */
    token_hash: Buffer
    /** A state of kyb-states.ts. */
    status: KybStatus
    sequence: WithDefault<number>
    /** Sealed: what the form was filled in with. */
    answers: Optional<Buffer>
    updated_at: Date
  }
  ramp_sandbox_transfers: {
    reference: string
    organization_id: number
    account_id: number
    direction: RampDirection
    /** What the caller simulates: success, failed, rejected or reversed. */
    scenario: string
    /** The last completed step of the scenario. */
    step: WithDefault<number>
    sequence: WithDefault<number>
    /** The time between two steps. */
    delay_ms: number
    /** When the next step is due; null: the payment has ended. */
    due_at: Optional<Date>
    /** What the next event says, and where the tokens go. */
    snapshot: JsonColumn<Record<string, unknown>>
    /** The transfer of tokens, stored before it is sent. */
    sent_hash: Optional<string>
    created_at: Now
  }
  ramp_sandbox_deposits: {
    tx_hash: string
    simulation_id: string
    scenario: string
    delay_ms: number
    created_at: Now
    /** Null: simulated by an earlier version. */
    created_by_type: Optional<AuditActorType>
    created_by_id: Optional<number>
  }
  ramp_bridge_intents: {
    id: Generated<number>
    organization_id: number
    /** What is to be created. */
    kind: 'onboarding' | 'external_account' | 'virtual_account' | 'liquidation_address'
    /** A keyed hash of all parameters: the same request finds its intent. */
    fingerprint: Buffer
    token: string
    /** The key of the call that creates it. */
    idempotency_key: string
    /** When that key was made: Bridge keeps a key for a day. */
    key_created_at: Date
    /** Until then one caller works on it; null: nobody. */
    leased_until: Optional<Date>
    /** Bridge's id of what was created; null: not yet. */
    reference: Optional<string>
    /** When Bridge refused it for good; the same request then makes a new intent. */
    closed_at: Optional<Date>
    created_at: Now
  }
  ramp_bridge_ignored_events: {
    event_id: string
    category: string
    /** The kind of event. */
    type: string
    object_id: string
    /** Why it has no effect, or none yet. */
    reason: string
    /** Sealed: the message; of what waits for its chain only amounts, times and references. */
    body: Buffer
    /** When it was received. */
    received_at: Now
  }
}
