import { index } from '../migration-steps.ts'

/**
 * What people look for: wallets by the beginning of a label or an address, operations of a period, events about an object
 * or of a period, and payments by their hashes.
 */
export const steps = [
  index('wallets_by_label', 'wallets (organization_id, lower(label) text_pattern_ops) where label is not null'),
  index('wallets_by_address', 'wallets (organization_id, lower(address) text_pattern_ops)'),
  index('operations_by_time', 'operations (organization_id, created_at, id) include (state, type)'),
  index('outbox_about', 'outbox (organization_id, object_id, position) where position is not null'),
  index('outbox_by_time', 'outbox (organization_id, created_at) where position is not null'),
  index('ramp_transactions_by_hash', 'ramp_transactions (organization_id, tx_hash) where tx_hash is not null'),
  index(
    'ramp_transactions_by_return_hash',
    'ramp_transactions (organization_id, return_tx_hash) where return_tx_hash is not null',
  ),
]
