import { index, statement } from '../migration-steps.ts'

/**
 * A stopped webhook whose pending deliveries a job fails in batches, and when a webhook was served, so that the one that
 * waited the longest is served next.
 */
export const steps = [
  statement('alter table webhooks add column if not exists stopped_at timestamptz'),
  statement('alter table webhooks add column if not exists served_at timestamptz'),
  index('webhooks_stopped', 'webhooks (stopped_at, id) where stopped_at is not null'),
]
