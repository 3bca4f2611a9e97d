import { index, statement } from '../migration-steps.ts'

/**
 * A claim of a transaction overwrites the lease before it, and may end without a lease of its own: what the latest lease
 * was must outlive it. And actions go out oldest first, even those whose lease lapsed.
 */
export const steps = [
  statement(
    'alter table agent_work add column if not exists last_lease_token text, add column if not exists last_leased_at timestamptz',
  ),
  index('agent_actions_oldest', "agent_actions (organization_id, id) where status = 'PENDING'"),
]
