import { dropIndex, index } from '../migration-steps.ts'

/**
 * The unfinished operations of a wallet, which every plan reads, in a new index. Before the first statistics of a table
 * PostgreSQL finds several indexes equally good and takes the newest: that of a profile's open operations, so a plan read
 * all of the organization's.
 */
export const steps = [
  index(
    'operations_unfinished_of_wallet',
    `operations (organization_id, wallet_id) where state in ('PLANNING', 'PENDING_APPROVAL', 'EXECUTING', 'CONFIRMING')`,
  ),
  dropIndex('operations_unfinished'),
]
