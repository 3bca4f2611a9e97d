import { index } from '../migration-steps.ts'

/** Each organization's wallets that wait for their reconciliation: a page has a share of each. */
export const steps = [
  index(
    'wallets_to_reconcile_of_organization',
    'wallets (blockchain, organization_id, id) where reconciled_block is null',
  ),
]
