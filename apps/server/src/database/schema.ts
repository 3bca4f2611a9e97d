import type { ColumnType, Generated } from 'kysely'

/**
 * The tables as TypeScript types. int8 is read as `number` (every id stays below 2^53), numeric as `bigint`,
 * timestamptz as `Date`, date as 'YYYY-MM-DD'; the pool converts them (database/type-parsers.ts).
 */
type Now = Date
/** JSON is written as text and read parsed. */
type Json<T> = ColumnType<T, string, string>
type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>
/** A column that an insert may omit. */
type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>
type WithDefault<T> = ColumnType<T, T | undefined, T>

export type Role = 'owner' | 'admin' | 'approver' | 'viewer'
export type KeyScope = 'organization' | 'profile' | 'admin'
export type CatalogueStatus = 'active' | 'paused' | 'deprecated'
export type LedgerAccount = 'available' | 'reserved' | 'deployed' | 'yield' | 'external'
export type AllocationStatus = 'ACTIVE' | 'UNWINDING' | 'CLOSED'
export type OperationType = 'SUPPLY' | 'UNWIND'
export type AuditActorType = 'user' | 'key' | 'system'
export type Executor = 'client' | 'agent'
export type OperationState =
  | 'PLANNING'
  | 'PENDING_APPROVAL'
  | 'EXECUTING'
  | 'CONFIRMING'
  | 'COMPLETED'
  | 'FAILED'
  | 'REJECTED'
  | 'ABORTED'
export type OperationOrigin = 'client' | 'explicit' | 'rebalancer'
export type AgentStage = 'waiting' | 'ready' | 'leased' | 'paused' | 'withheld' | 'sent' | 'done'
export type AgentActionStatus = 'PENDING' | 'SUCCESS' | 'FAILED'
export type TransactionKind = 'approve_reset' | 'approve' | 'supply' | 'unwind'
export type TransactionStatus = 'unsigned' | 'pending' | 'confirmed' | 'failed'

export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

/** One delivery attempt of a webhook, as stored in its delivery; `at` is an ISO time. */
export interface StoredAttempt {
  readonly at: string
  readonly statusCode: number | null
  readonly error: string | null
  readonly durationMs: number
}

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

export interface Schema {
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
  organizations: {
    id: Generated<number>
    name: string
    /** Requests a minute by kind, where they differ from the defaults. */
    rate_limits: ColumnType<Record<string, number>, string | undefined, string>
    created_at: Now
    /** Set when the organization is deleted; its rows stay. */
    deleted_at: Optional<Date>
  }
  users: {
    organization_id: number
    id: Generated<number>
    email: string
    name: Optional<string>
    /** Argon2id, with its parameters. */
    password_hash: string
    role: Role
    created_at: Now
    /** Set when the member is removed. */
    removed_at: Optional<Date>
  }
  sessions: {
    organization_id: number
    id: Generated<number>
    user_id: number
    created_at: Now
    /** Set by a logout, a removal or a stolen refresh token. */
    revoked_at: Optional<Date>
  }
  refresh_tokens: {
    token_hash: Buffer
    organization_id: number
    session_id: number
    expires_at: Now
    /** A token that is used a second time revokes its session. */
    used_at: Optional<Date>
  }
  login_attempts: { subject: Buffer; attempted_at: Date[]; last_at: Date }
  wallet_profiles: {
    organization_id: number
    id: Generated<number>
    name: string
    is_default: WithDefault<boolean>
    enabled_chains: string[]
    /** How long after planning an operation of a client expires. */
    operation_timeout_seconds: number
    created_at: Now
    deleted_at: Optional<Date>
  }
  api_keys: {
    organization_id: number
    id: Generated<number>
    name: string
    scope: KeyScope
    /** Null for keys of the whole organization. */
    wallet_profile_id: Optional<number>
    key_hash: Buffer
    /** The visible part of the key, for people who look for it. */
    preview: string
    created_at: Now
    last_used_at: Optional<Date>
    revoked_at: Optional<Date>
  }
  chain_cursors: {
    blockchain: string
    genesis_hash: string
    /** Every block up to this one is settled. */
    final_number: number
    final_hash: string
    final_time: Date
    /** Inclusions are noted up to this block. */
    head_number: number
    head_hash: string
    updated_at: Date
  }
  chain_nonces: { blockchain: string; address: string; latest_count: number; final_count: WithDefault<number> }
  venues: {
    id: Generated<number>
    key: string
    name: string
    protocol: string
    blockchain: string
    icon_url: Optional<string>
    status: CatalogueStatus
  }
  strategies: {
    id: Generated<number>
    venue_id: number
    /** Names the strategy for ever; its id follows the key. */
    key: string
    name: string
    protocol: string
    blockchain: string
    token: string
    token_address: string
    token_decimals: number
    min_deposit: Optional<bigint>
    max_deposit: Optional<bigint>
    status: CatalogueStatus
    supports_gas_sponsorship: WithDefault<boolean>
    /** Addresses and the like that the venue needs. */
    params: Json<Record<string, string>>
    /** Decimal fraction. */
    apy: WithDefault<number>
    tvl: Optional<bigint>
    liquidity: Optional<bigint>
    /** Value of a share, scaled as the protocol scales it. */
    price: Optional<bigint>
    price_block: Optional<number>
    price_at: Optional<Date>
    rates_at: Optional<Date>
  }
  strategy_prices: { strategy_id: number; day: string; price: bigint; read_at: Date }
  wallets: {
    organization_id: number
    id: Generated<number>
    wallet_profile_id: number
    blockchain: string
    address: string
    user_id: Optional<string>
    org_metadata: JsonOrNull<Record<string, unknown>>
    label: Optional<string>
    /** Who keeps the wallet's keys, as the organization says. */
    custody_provider: Optional<string>
    imported_at: Optional<Date>
    /** The block that the ledger was last compared with; null asks for a comparison. */
    reconciled_block: Optional<number>
    created_at: Now
  }
  operational_wallets: {
    organization_id: number
    id: Generated<number>
    wallet_id: number
    token_address: string
    enable_yield: boolean
    /** What stays liquid. */
    buffer_amount: bigint
    metadata: JsonOrNull<Record<string, unknown>>
    /** When the rebalancer evaluates the wallet; null: when something schedules it. */
    due_at: Optional<Date>
    /** How often in a row nothing could be planned. */
    rebalance_failures: WithDefault<number>
    /** The outcome of the last evaluation, for people. */
    last_evaluation: JsonOrNull<{ at: string; outcome: string; text: string }>
    created_at: Now
    updated_at: Date
  }
  strategy_caps: { organization_id: number; strategy_id: number; share_bps: number; updated_at: Date }
  ledger_entries: {
    organization_id: number
    id: Generated<number>
    kind: string
    /** Unique: what was posted once cannot be posted again. */
    source: string
    operation_id: Optional<number>
    block_number: Optional<number>
    created_at: Now
  }
  ledger_postings: {
    organization_id: number
    entry_id: number
    wallet_id: number
    token_address: string
    account: LedgerAccount
    amount: bigint
  }
  ledger_balances: {
    organization_id: number
    wallet_id: number
    token_address: string
    available: WithDefault<bigint>
    reserved: WithDefault<bigint>
    deployed: WithDefault<bigint>
    yield: WithDefault<bigint>
    /** The other side of what came and went outside of operations. */
    external: WithDefault<bigint>
  }
  ledger_breaks: {
    organization_id: number
    id: Generated<number>
    wallet_id: number
    token_address: string
    amount: bigint
    reason: string
    block_number: Optional<number>
    opened_at: Now
    /** Null while the difference is open. */
    closed_at: Optional<Date>
  }
  allocations: {
    organization_id: number
    id: Generated<number>
    wallet_id: number
    strategy_id: number
    /** A state of allocation-states.ts. */
    status: AllocationStatus
    shares: bigint
    principal: bigint
    /** The value that the ledger's `deployed` account holds for it. */
    posted_value: bigint
    posted_price: bigint
    /** By the chain's clock. */
    posted_at: Date
    /** Yield that left with withdrawn shares. */
    realized_yield: WithDefault<bigint>
    opened_at: Date
    updated_at: Date
    closed_at: Optional<Date>
  }
  yield_snapshots: {
    organization_id: number
    allocation_id: number
    day: string
    value: bigint
    principal: bigint
    yield: bigint
    cumulative_yield: bigint
  }
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
    failure_reason: Optional<string>
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
    required_approvals: WithDefault<number>
    approval_rule: Optional<string>
    approved_at: Optional<Date>
    rejected_at: Optional<Date>
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
    report: JsonOrNull<Record<string, unknown>>
    reported_at: Optional<Date>
    created_at: Now
  }
  agent_actions: {
    organization_id: number
    id: Generated<number>
    type: 'CREATE_WALLET'
    payload: Json<Record<string, unknown>>
    status: WithDefault<AgentActionStatus>
    result: JsonOrNull<Record<string, unknown>>
    error: Optional<string>
    wallet_id: Optional<number>
    available_at: Date
    lease_token: Optional<string>
    claimed_at: Optional<Date>
    lease_count: WithDefault<number>
    created_at: Now
    reported_at: Optional<Date>
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
    call: Json<Record<string, unknown>>
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
  outbox: {
    organization_id: number
    id: Generated<number>
    event: string
    object_type: string
    object_id: number
    data: Json<Record<string, unknown>>
    created_at: Now
    /** When it got its position and its public body. */
    relayed_at: Optional<Date>
    position: Optional<number>
    /** `{event, timestamp, data}` exactly as delivered, byte for byte. */
    body: Optional<string>
    /** The profile of the event's wallet; null if no wallet is involved. */
    wallet_profile_id: Optional<number>
  }
  event_relay: { id: WithDefault<boolean>; last_position: number; last_at: Optional<Date> }
  webhooks: {
    organization_id: number
    id: Generated<number>
    url: string
    events: string[]
    description: Optional<string>
    /** Sealed. */
    secret: Buffer
    previous_secret: Optional<Buffer>
    previous_secret_until: Optional<Date>
    failures: WithDefault<number>
    failing_since: Optional<Date>
    failing_at: Optional<Date>
    paused_until: Optional<Date>
    disabled_at: Optional<Date>
    disable_reason: Optional<'asked' | 'failing'>
    /** When a delivery is due next; null: nothing is waiting. */
    due_at: Optional<Date>
    lease: Optional<string>
    leased_until: Optional<Date>
    created_at: Now
    updated_at: Date
    deleted_at: Optional<Date>
  }
  webhook_deliveries: {
    organization_id: number
    id: Generated<number>
    webhook_id: number
    event_id: number
    event: string
    object_type: string
    object_id: number
    status: DeliveryStatus
    attempt_count: WithDefault<number>
    /** The last attempts, newest last. */
    attempts: Json<StoredAttempt[]>
    next_attempt_at: Optional<Date>
    created_at: Now
  }
  idempotency_keys: {
    organization_id: number
    key: string
    method: string
    path: string
    body_hash: Buffer
    /** The profile of the requesting key; null: a key or user with access to all profiles. */
    wallet_profile_id: Optional<number>
    /** Whose request is running; another request waits or takes over after `claimed_until`. */
    claim: string
    claimed_until: Date
    response_status: Optional<number>
    response_body: Optional<string>
    created_at: Now
  }
  treasury_sends: {
    id: Generated<number>
    organization_id: number
    blockchain: string
    sender: string
    nonce: number
    purpose: string
    recipient: string
    token_address: Optional<string>
    amount: bigint
    /** Signed bytes, stored before they are sent. */
    raw: string
    tx_hash: string
    state: 'stored' | 'included' | 'failed'
    block_number: Optional<number>
    created_at: Now
  }
  counters: {
    organization_id: number
    wallet_profile_id: number
    entity: 'operations' | 'wallets' | 'allocations'
    kind: string
    state: string
    amount: number
  }
  operation_sums: {
    organization_id: number
    strategy_id: number
    type: OperationType
    completed: number
    moved: bigint
    milliseconds: number
  }
  ramp_terms: { organization_id: number; fee_basis_points: number; developer_share_basis_points: number }
  ramp_customers: {
    organization_id: number
    id: Generated<number>
    kind: 'organization' | 'recipient'
    name: string
    type: string
    external_id: Optional<string>
    address: JsonOrNull<Record<string, string>>
    kyb_status: Optional<KybStatus>
    kyb_link: Optional<string>
    kyb_reference: Optional<string>
    kyb_attempt: WithDefault<number>
    /** The newest event of the banking partner that was applied. */
    kyb_sequence: WithDefault<number>
    created_at: Now
    archived_at: Optional<Date>
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
    bank_name: string
    routing_number: string
    /** Sealed. */
    account_number: Buffer
    account_number_last4: string
    account_type: Optional<string>
    account_holder: Optional<string>
    deposit_address: Optional<string>
    created_at: Now
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
    status_history: Json<{ status: RampStatus; timestamp: string }[]>
    failure_reason: Optional<string>
    provider_reference: string
    provider_sequence: number
    created_at: Now
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
  fiat_entries: {
    organization_id: number
    id: Generated<number>
    transaction_id: number
    kind: string
    created_at: Now
  }
  fiat_postings: { organization_id: number; entry_id: number; account: FiatAccount; cents: bigint }
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
    snapshot: Json<Record<string, unknown>>
    sent_hash: Optional<string>
    created_at: Now
  }
  ramp_sandbox_deposits: {
    tx_hash: string
    simulation_id: string
    scenario: string
    delay_ms: number
    created_at: Now
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
  approval_policies: {
    organization_id: number
    version: number
    /** In the format of its time; policy/ decides whether it is still readable. */
    policy: Json<unknown>
    changed_by: number
    created_at: Now
  }
  audit_log: {
    organization_id: number
    id: number
    at: Date
    actor_type: AuditActorType
    actor_id: number | null
    action: string
    object_type: string
    object_id: number | null
    ip_address: string | null
    details: string | null
    previous_hash: Buffer
    hash: Buffer
  }
  audit_heads: { organization_id: number; entries: WithDefault<number>; hash: WithDefault<Buffer> }
}
