import type { Config } from '../../config.ts'
import type { Retention } from '../../database/index.ts'
import { type IdentityParts, identityRetentions } from '../../identity/index.ts'
import { mailRetention } from '../../mail/index.ts'
import { ignoredEventRetention } from '../../ramp/index.ts'
import { idempotencyKeyRetention } from '../../surfaces/http/index.ts'
import { eventRetentions } from '../../webhooks/index.ts'

/** What is deleted because of its age, by table. What people need for an audit is not among it. */
export function retentionsOf(
  parts: Pick<IdentityParts, 'clock' | 'sessionLimits'>,
  { eventsRetentionMs, securityEventsRetentionMs }: Pick<Config, 'eventsRetentionMs' | 'securityEventsRetentionMs'>,
): readonly Retention[] {
  return [
    idempotencyKeyRetention(parts),
    ...eventRetentions(parts, eventsRetentionMs),
    ...identityRetentions(parts, securityEventsRetentionMs),
    mailRetention(parts),
    ignoredEventRetention(parts),
  ]
}
