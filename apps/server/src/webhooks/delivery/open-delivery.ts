import { MissingKeyError, type Sealer } from '../../kernel/index.ts'
import { openSigningSecret } from '../endpoints/signing-secret.ts'
import { bodyWithPersonalFields } from '../events/personal-fields.ts'
import type { ClaimedWebhook } from './claim-webhooks.ts'
import type { DueDelivery } from './due-deliveries.ts'

/** What an attempt sends, or why it sends nothing. */
export type OpenedDelivery =
  | { readonly outcome: 'opened'; readonly body: string; readonly secrets: readonly string[] }
  /** Sealed with a key that this process lacks: nothing is damaged, and another process may have it. */
  | { readonly outcome: 'no-key'; readonly cause: MissingKeyError }
  | { readonly outcome: 'damaged'; readonly part: 'event' | 'signing secret'; readonly cause: unknown }

interface OpenParts {
  /** Opens signing secrets. */
  readonly sealer: Sealer
  /** Opens the personal fields of events. */
  readonly events: Sealer
}

/** Opens what is sealed of a delivery. Never throws: what does not open concerns this delivery only. */
export function openDelivery(
  { sealer, events }: OpenParts,
  claimed: ClaimedWebhook,
  due: DueDelivery,
  at: Date,
): OpenedDelivery {
  let part: 'event' | 'signing secret' = 'signing secret'
  try {
    const secrets = openSecrets(sealer, claimed, due, at)
    part = 'event'
    const body = bodyWithPersonalFields(events, { ...due, organizationId: claimed.organizationId })
    return { outcome: 'opened', body, secrets }
  } catch (cause) {
    return cause instanceof MissingKeyError ? { outcome: 'no-key', cause } : { outcome: 'damaged', part, cause }
  }
}

/**
 * The current secret, followed by the old ones that are valid. A damaged old one does not sign: rotating is the way out
 * of a damaged secret.
 */
function openSecrets(sealer: Sealer, claimed: ClaimedWebhook, due: DueDelivery, at: Date): string[] {
  const { secret, previousSecret, previousSecretUntil } = due
  const isValid = previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > at
  const secrets = [openSigningSecret(sealer, secret, claimed)]
  for (const old of [...(isValid ? [previousSecret] : []), ...due.oldSecrets])
    try {
      secrets.push(openSigningSecret(sealer, old, claimed))
    } catch (error) {
      if (error instanceof MissingKeyError) throw error
    }
  return secrets
}
