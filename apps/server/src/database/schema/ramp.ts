import type { Generated } from 'kysely'
import type { JsonColumn, JsonOrNull, Now, Optional, WithDefault } from './column-types.ts'
import type { AuditActorType } from './identity.ts'

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
  ramp_terms: { organization_id: number; fee_basis_points: number; developer_share_basis_points: number }
  ramp_customers: {
    organization_id: number
    id: Generated<number>
    kind: 'organization' | 'recipient'
    /** In clear only in rows of versions before sealing, until the service seals them; then empty. So are the others. */
    name: string
    sealed_name: Optional<Buffer>
    type: string
    external_id: Optional<string>
    sealed_external_id: Optional<Buffer>
    /** A keyed hash that finds an external id within its organization. */
    external_id_index: Optional<Buffer>
    address: JsonOrNull<Record<string, string>>
    sealed_address: Optional<Buffer>
    kyb_status: Optional<KybStatus>
    kyb_link: Optional<string>
    sealed_kyb_link: Optional<Buffer>
    kyb_reference: Optional<string>
    kyb_attempt: WithDefault<number>
    /** The newest event of the banking partner that was applied. */
    kyb_sequence: WithDefault<number>
    created_at: Now
    /** Null: created by an earlier version. */
    created_by_type: Optional<AuditActorType>
    created_by_id: Optional<number>
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
    rail: RampRail
    capabilities: RampRail[]
    status: 'active' | 'archived'
    provider_reference: string
    /** In clear only in rows of versions before sealing, until the service seals them; then empty. So are the others. */
    bank_name: string
    sealed_bank_name: Optional<Buffer>
    routing_number: string
    sealed_routing_number: Optional<Buffer>
    /** Sealed. */
    account_number: Buffer
    account_number_last4: string
    account_type: Optional<string>
    account_holder: Optional<string>
    sealed_account_holder: Optional<Buffer>
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
    usd_cents: bigint
    fee_cents: bigint
    developer_fee_cents: bigint
    token_amount: bigint
    /** The part of `token_amount` below a whole cent. */
    dust: WithDefault<bigint>
    exchange_rate: string
    payment_rail: string
    payment_reference: string
    tx_hash: Optional<string>
    return_tx_hash: Optional<string>
    status: RampStatus
    status_history: JsonColumn<{ status: RampStatus; timestamp: string }[]>
    failure_reason: Optional<string>
    provider_reference: string
    provider_sequence: number
    created_at: Now
    /** Null: not simulated, or by an earlier version. */
    created_by_type: Optional<AuditActorType>
    created_by_id: Optional<number>
    completed_at: Optional<Date>
  }
  ramp_provider_events: {
    provider: string
    event_id: string
    subject: string
    sequence: number
    status: string
    outcome: 'applied' | 'overtaken' | 'contradicts' | 'unknown'
    received_at: Now
  }
  ramp_deposits: {
    organization_id: number
    id: Generated<number>
    account_id: number
    blockchain: string
    tx_hash: string
    position: number
    token_address: string
    sender: Optional<string>
    amount: bigint
    block_number: number
    detected_at: Now
  }
  ramp_deferred_blocks: {
    blockchain: string
    block_number: number
    since: Date
    attempts: number
    next_attempt_at: Date
    error: string
  }
  fiat_entries: {
    organization_id: number
    id: Generated<number>
    transaction_id: number
    kind: string
    created_at: Now
  }
  fiat_postings: { organization_id: number; entry_id: number; account: FiatAccount; cents: bigint }
  ramp_sandbox_applications: {
    reference: string
    token_hash: Buffer
    status: KybStatus
    sequence: WithDefault<number>
    answers: Optional<Buffer>
    updated_at: Date
  }
  ramp_sandbox_transfers: {
    reference: string
    organization_id: number
    account_id: number
    direction: RampDirection
    scenario: string
    step: WithDefault<number>
    sequence: WithDefault<number>
    delay_ms: number
    due_at: Optional<Date>
    snapshot: JsonColumn<Record<string, unknown>>
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
    kind: 'onboarding' | 'external_account' | 'virtual_account' | 'liquidation_address'
    fingerprint: Buffer
    token: string
    idempotency_key: string
    key_created_at: Date
    leased_until: Optional<Date>
    reference: Optional<string>
    closed_at: Optional<Date>
    created_at: Now
  }
  ramp_bridge_ignored_events: {
    event_id: string
    category: string
    type: string
    object_id: string
    reason: string
    body: Buffer
    received_at: Now
  }
}
