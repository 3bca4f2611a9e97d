import { index } from '../migration-steps.ts'

/** A probe of a failing endpoint takes the delivery with the most attempts, among millions that have none. */
export const steps = [
  index(
    'webhook_deliveries_tried',
    "webhook_deliveries (webhook_id, attempt_count desc, next_attempt_at, id) where status = 'pending' and attempt_count > 0",
  ),
]
