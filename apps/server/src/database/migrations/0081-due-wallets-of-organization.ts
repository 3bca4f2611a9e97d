import { index } from '../migration-steps.ts'

/** Each organization's due wallets in their order: evaluations are claimed in shares of organizations. */
export const steps = [
  index(
    'operational_wallets_due_of_organization',
    'operational_wallets (organization_id, due_at, id) where due_at is not null',
  ),
]
