import type { Config } from '../../config.ts'
import { createSealer } from '../../kernel/index.ts'
import type { WebhookParts } from '../../webhooks/index.ts'
import type { KeyRings } from '../keys/key-rings.ts'

type Common = Omit<WebhookParts, 'sealer' | 'events' | 'rules'>

/** What webhooks need in addition to the common parts: the key for their secrets, and the permitted destinations. */
export function webhookParts(
  config: Pick<Config, 'environment' | 'webhookAllow'>,
  secrets: Pick<KeyRings, 'encryption'>,
  { db, clock, log, random, quotas }: Common,
): WebhookParts {
  return {
    db,
    clock,
    log,
    random,
    ...(quotas && { quotas }),
    sealer: createSealer(secrets.encryption, 'webhooks', random),
    events: createSealer(secrets.encryption, 'events', random),
    rules: { allowLocal: config.environment === 'sandbox', allowed: config.webhookAllow ?? [] },
  }
}
