import type { Schema } from '../schema.ts'

/** A room that writes a table, and the reason where the table is another room's. */
export interface TableWriter {
  /** `triggers`: functions of the database. `operator`: nothing in the service, a person with SQL. */
  readonly room: string
  readonly why?: string
}

export interface TableDescription {
  /** One row of it, in one sentence. */
  readonly holds: string
  /** The owning room first. A reason is needed for every further one. */
  readonly writers: readonly TableWriter[]
}

const table = (room: string, holds: string, ...others: readonly TableWriter[]): TableDescription => ({
  holds,
  writers: [{ room }, ...others],
})

const TRIGGERS: TableWriter = { room: 'triggers', why: 'every change of a counted row adds to it, from any room' }

/** Which room writes which table; house-tables.test.ts compares this with the code, and docs/database.md shows it. */
export const TABLES: Readonly<Record<keyof Schema, TableDescription>> = {
  organizations: table('identity', 'An organization: the tenant that everything else belongs to.'),
  organization_erasures: table('identity', 'The erasure of a deleted organization, with its progress.'),
  quota_places: table('identity', 'A place in a quota that a request holds while it calls a partner.'),
  users: table('identity', 'A member of an organization, with a role.'),
  sessions: table('identity', 'A sign-in of a user, until it is revoked or its last refresh token expires.'),
  refresh_tokens: table('identity', 'The hash of a refresh token, which is used once.'),
  registration_invitations: table(
    'identity',
    'The hash of an invitation to register an organization, which is used once.',
  ),
  address_requests: table(
    'identity',
    'A request about an address that may have an account; answered by mail only, then deleted.',
  ),
  account_tokens: table(
    'identity',
    'The hash of a token that was sent by mail: it resets a password, proves an address or confirms a registration.',
  ),
  member_invitations: table('identity', 'An invitation to join an organization with a role, with its token’s hash.'),
  login_attempts: table('identity', 'Recent failed sign-ins of an account from one address.'),
  login_account_attempts: table('identity', 'Recent failed sign-ins of an account from addresses unknown to it.'),
  login_addresses: table('identity', 'A digest of an account and an address that it signed in from.'),
  user_totp: table('identity', 'The sealed secret of a user’s authenticator app.'),
  user_passkeys: table('identity', 'The public key of a user’s passkey, with its name and its signature counter.'),
  user_recovery_codes: table('identity', 'The hash of a recovery code, which replaces a second factor once.'),
  factor_challenges: table('identity', 'The hash of a challenge for a second factor, for one user and purpose.'),
  sso_providers: table('identity', 'An identity provider of an organization, with the roles that its claims give.'),
  sso_domains: table('identity', 'A domain that an organization claimed, and when it proved that it owns it.'),
  sso_identities: table('identity', 'An account at an identity provider that a member signs in with.'),
  sso_sign_ins: table('identity', 'A sign-in at an identity provider, under way or finished, with its one-time code.'),
  saved_views: table('identity', 'The filters of a page of the dashboard under a name, of a member or shared.'),
  wallet_profiles: table('identity', 'A group of wallets with its enabled chains and its operation timeout.'),
  api_keys: table('identity', 'The hash of an API key, with its scope, permissions and expiry.'),
  key_errors: table('identity', 'A kind of error of a key, with how often it happened and its latest request.'),
  key_requests: table('identity', 'One of the latest requests of a key or a service account.'),
  service_accounts: table('identity', 'What calls core without a person, with its role and its networks.'),
  service_account_secrets: table('identity', 'The hash of a secret of a service account, with its expiry.'),
  audit_log: table('identity', 'An entry of the audit log, chained to the one before it by its hash.'),
  audit_heads: table('identity', 'The length and the last hash of an organization’s audit log.', {
    room: 'triggers',
    why: 'an organization gets its row when it is created',
  }),

  audit_anchors: table('identity', 'Heads of audit logs that were sent outside at one time.'),
  audit_anchor_heads: table('identity', 'The head of one organization’s audit log in an anchor.'),
  unchained_audit_entries: table('identity', 'An entry of v1 or an agent that waits for its place in the audit log.'),
  security_events: table('identity', 'A refused request, or several of one kind, with a count.'),
  change_policies: table('changes', 'How many approvals each kind of configuration change of an organization needs.'),
  change_requests: table('changes', 'A configuration change that was requested, in one state of its state machine.'),
  change_decisions: table('changes', 'The decision of one person on a change request.'),
  destination_lists: table('destinations', 'Whether an organization enforces its allow-list of destinations.'),
  destinations: table('destinations', 'An address that an organization allows as a destination of tokens.'),

  venues: table('venues', 'A lending protocol on a chain, as the catalogue lists it.'),
  strategies: table('venues', 'A market of a venue, with its latest rates and price.'),
  token_prices: table('venues', 'The price of a token in US dollars, as its feed reported it last.'),
  strategy_code: table('venues', 'The code of a strategy’s contracts, as read last.'),
  strategy_prices: table('venues', 'Share price, TVL and liquidity of a strategy as first read on a day.'),

  chain_cursors: table('watch', 'How far a chain is followed.'),
  chain_nonces: table('operations', 'How many transactions of an address the chain has counted.'),

  wallets: table('wallets', 'A wallet that an organization registered.'),
  operational_wallets: table('wallets', 'One token of a wallet that the rebalancer looks after, and when it is due.'),

  ledger_entries: table('ledger', 'One event of the ledger; its postings sum to zero.'),
  ledger_postings: table('ledger', 'One line of an entry: an amount on one account of a wallet and token.'),
  ledger_balances: table('ledger', 'The sums of the postings of a wallet and token, one column an account.'),
  ledger_breaks: table('ledger', 'A difference between ledger and chain that the ledger cannot explain.'),

  allocations: table('allocations', 'The position of one wallet in one strategy, as it was posted last.'),
  exits: table('allocations', 'What a wallet requested back from a strategy that pays later, until it is claimed.'),
  ended_days: table('allocations', 'The end of a day of a chain, while yield up to it is being posted.'),
  yield_snapshots: table('allocations', 'The value and yield of an allocation at the end of a day.'),

  approval_policies: table('policy', 'A version of an organization’s approval policy.'),

  operations: table('operations', 'A supply or an unwind, in one state of its state machine.'),
  operation_approvals: table('operations', 'The decision of one person on an operation.'),
  reservations: table('operations', 'The amount that an unfinished supply holds of a wallet’s balance.'),
  transactions: table('operations', 'One transaction of an operation, with its bytes and what became of them.'),
  transaction_hashes: table('operations', 'A hash that a transaction was sent under, with its signed bytes if stored.'),
  left_allowances: table('operations', 'A supply that ended after its token approval, until its allowance is gone.'),
  agent_work: table('operations', 'The place of a transaction in the queue for custody agents.'),
  quarantined_wallets: table('operations', 'A wallet that cannot be settled, and when settling is tried again.'),
  quarantined_blocks: table('operations', 'A block that a quarantined wallet has still to be settled at.'),

  agent_actions: table('agents', 'Something other than a transaction that a custody agent is to do.'),

  breaker_settings: table('breakers', 'Which circuit breakers an organization uses, and their thresholds.'),
  circuit_breakers: table('breakers', 'One circuit breaker of an organization and a strategy, in one state.'),

  strategy_caps: table('rebalancing', 'The share of an organization’s funds that one strategy may have.'),
  deposit_limits: table('rebalancing', 'What an organization allows the service to deposit where.'),
  refused_moves: table('rebalancing', 'A strategy that refused a wallet’s move, left out until a time.'),
  awaited_withdrawals: table('rebalancing', 'A requested withdrawal that a strategy could not pay at once.'),
  awaited_withdrawal_operations: table('rebalancing', 'An operation that fetches a part of an awaited withdrawal.'),

  ramp_terms: table('operator', 'The fees of an organization, where they differ from the defaults.'),
  ramp_customers: table('ramp', 'An organization or a recipient that is verified for payments.'),
  ramp_accounts: table('ramp', 'A bank account of an on-ramp, or of an off-ramp with its deposit address.'),
  ramp_transactions: table('ramp', 'A payment between a bank and a chain.'),
  ramp_provider_events: table('ramp', 'An event that a banking partner delivered, and what it changed.'),
  ramp_deposits: table('ramp', 'A transfer of tokens to a deposit address.'),
  ramp_deferred_blocks: table(
    'ramp',
    'A block with a deposit that could not be recorded, and when that is tried again.',
  ),
  fiat_entries: table('ramp', 'One event of the fiat ledger; its postings sum to zero.'),
  fiat_postings: table('ramp', 'One line of a fiat entry, in cents.'),
  ramp_sandbox_applications: table('ramp', 'A verification at the simulated banking partner.'),
  ramp_sandbox_transfers: table('ramp', 'A payment at the simulated banking partner, with its next step.'),
  ramp_sandbox_deposits: table('ramp', 'The scenario of a simulated deposit, by its transaction.'),
  ramp_bridge_intents: table('ramp', 'An object that is to be created once at Bridge, with its idempotency key.'),
  ramp_bridge_ignored_events: table(
    'ramp',
    'An event of Bridge that belongs to nothing here, or a payment that waits to be applied.',
  ),

  outbox: table('database', 'An event, written with the change of state that it reports.', {
    room: 'webhooks',
    why: 'relaying fills position, body, relayed_at and wallet_profile_id, and old events are swept',
  }),
  database_history: table('database', 'The cluster and timeline of this database, and its epoch. One row.'),
  deleted_events: table('webhooks', 'How far the events of an organization were deleted because of their age.'),
  held_events: table('webhooks', 'An event that could not be published, and when that is tried again.'),
  event_relay: table('webhooks', 'The last position that an event got. One row.'),
  webhooks: table('webhooks', 'An endpoint that receives events.'),
  webhook_old_secrets: table(
    'webhooks',
    'A secret of a webhook that signs beside the latest two, until its time ends.',
  ),
  webhook_deliveries: table('webhooks', 'One event for one webhook, with its attempts.'),

  mails: table('mail', 'An email to send, with its attempts; without content once it was sent or given up.', {
    room: 'identity',
    why: 'an email is queued in the transaction of its cause',
  }),
  sandbox_mails: table('mail', 'An email that the sandbox keeps for its operator to read.'),

  idempotency_keys: table('surfaces', 'A request that was made with an idempotency key, and its response.'),

  secret_keys: table('secrets', 'A key or pepper that stored values need, without the key itself unless wrapped.'),
  service_secrets: table('secrets', 'A secret of the service that outlives the key that seals it.'),

  treasury_sends: table(
    'sandbox',
    'A payment of the faucet and of the simulated banking partner on an embedded chain.',
  ),

  migration_steps: table('database', 'A step of a migration that took effect.'),
  workers: table('database', 'A process that runs periodic work, with its expiry and what it reports.'),
  job_leases: table('database', 'Which process runs a periodic job, with the token that counts its holders.'),
  counters: table(
    'database',
    'How many rows a list has, as a sum of changes that is compacted now and then.',
    TRIGGERS,
  ),
  operation_sums: table(
    'database',
    'The totals of completed operations, as sums of changes that are compacted.',
    TRIGGERS,
  ),
}
