import type { Schema } from '../schema.ts'

/** Where a table is kept that is not distributed by `organization_id`. */
interface Placed {
  /** `reference`: a copy on every node. `local`: on one node only. `tenant`: distributed by its own id. */
  readonly place: 'reference' | 'local' | 'tenant'
  readonly why: string
}

const local = (why: string): Placed => ({ place: 'local', why })
const catalogue: Placed = { place: 'reference', why: 'read by every organization, written by the follower of a chain' }
const beforeLogin = 'read before an organization is known, by a hash or a digest'

/** Every other table belongs to one organization row by row; distribution.test.ts checks it. */
export const TABLE_PLACEMENT: Readonly<Partial<Record<keyof Schema, Placed>>> = {
  organizations: { place: 'tenant', why: 'an organization is where its rows are' },
  venues: catalogue,
  strategies: catalogue,
  strategy_prices: catalogue,
  strategy_code: catalogue,
  token_prices: catalogue,
  chain_cursors: catalogue,
  ended_days: local('a chain belongs to nobody'),
  chain_nonces: local('an address of a chain may be registered by several organizations'),
  ramp_deferred_blocks: local('a block belongs to nobody'),
  event_relay: local('one row: the order of all events'),
  workers: local('processes'),
  job_leases: local('processes'),
  migration_steps: local('the database itself'),
  database_history: local('the database itself'),
  secret_keys: local('the installation'),
  service_secrets: local('the installation'),
  audit_anchors: local('one anchor holds the heads of all organizations'),
  security_events: local('a refused stranger belongs to no organization'),
  account_tokens: local(`a registration has no organization yet; ${beforeLogin}`),
  registration_invitations: local('an invitation has no organization before its use'),
  factor_challenges: local(`a sign-in by passkey has no organization yet; ${beforeLogin}`),
  address_requests: local(beforeLogin),
  login_attempts: local(beforeLogin),
  login_account_attempts: local(beforeLogin),
  login_addresses: local(beforeLogin),
  mails: local('an email of a registration has no organization'),
  sandbox_mails: local('sandbox only'),
  ramp_provider_events: local('found by the id that the banking partner gave'),
  ramp_bridge_ignored_events: local('belong to nothing here'),
  ramp_sandbox_applications: local('sandbox only'),
  ramp_sandbox_deposits: local('sandbox only'),
}

const credential = 'found by the hash of a credential, before the organization is known'
const partner = 'found by the id that the banking partner gave'
const onChain = 'a transfer or an address of a chain, which one organization has'

/** Unique keys of tenants' tables that hold over all organizations: a move keeps each in a local table of its own. */
export const GLOBAL_KEYS: Readonly<Record<string, string>> = {
  api_keys_key_hash_key: credential,
  member_invitations_token_hash_key: credential,
  organization_erasures_receipt_hash_key: credential,
  refresh_tokens_pkey: credential,
  service_account_secrets_hash_key: credential,
  sso_sign_ins_pkey: credential,
  sso_sign_ins_code_hash_key: credential,
  user_passkeys_credential_id_key: credential,
  users_email: 'an address has one account, whatever the organization',
  sso_domains_proved: 'a domain belongs to one organization',
  outbox_by_position: 'the order of all events, which one relay gives',
  ramp_accounts_deposit: onChain,
  ramp_deposits_blockchain_tx_hash_position_key: onChain,
  ramp_accounts_provider_reference_key: partner,
  ramp_customers_kyb_reference_key: partner,
  ramp_transactions_provider_reference_key: partner,
  ramp_sandbox_transfers_pkey: 'sandbox only',
  treasury_sends_blockchain_sender_nonce_key: 'sandbox only',
  treasury_sends_tx_hash_key: 'sandbox only',
}

/** Foreign keys between a distributed table, as `organizations` is, and a local one: a move drops them. */
export const CROSSING_REFERENCES: Readonly<Record<string, string>> = {
  account_tokens_organization_id_user_id_fkey: 'a token is deleted a day after its end; its user stays',
  audit_anchor_heads_anchor_id_fkey: 'both rows are written by one statement, and no anchor is deleted',
  registration_invitations_organization_id_fkey:
    'set in the transaction that inserts the organization, whose row stays',
  security_events_organization_id_fkey: 'an organization that was read before, whose row stays',
}
