import { type Transact, transactOn } from '../../database/index.ts'
import { addMilliseconds, WEBHOOK_SECRET_GRACE_MS } from '../../kernel/index.ts'
import type { WebhookParts } from '../parts.ts'
import { type WebhookRef, webhookNotFound } from './read-webhooks.ts'
import { generateSigningSecret, sealSigningSecret } from './signing-secret.ts'

export interface RotatedSecret {
  readonly id: number
  /** Returned only once. */
  readonly secret: string
  /** When deliveries stop being signed with the old secret too. */
  readonly oldSecretValidUntil: Date
}

/**
 * Generates a new secret. The previous one also signs for 24 hours, so that receivers can switch over without losing
 * events; an even older one stops signing at once. Error: NOT_FOUND.
 */
export async function rotateSecret(
  parts: Pick<WebhookParts, 'db' | 'clock' | 'random' | 'sealer'>,
  named: WebhookRef,
  transact: Transact<RotatedSecret> = transactOn(parts.db),
): Promise<RotatedSecret> {
  const secret = generateSigningSecret(parts.random)
  return await transact(async (tx) => {
    const at = parts.clock.now()
    const oldSecretValidUntil = addMilliseconds(at, WEBHOOK_SECRET_GRACE_MS)
    const row = await tx
      .updateTable('webhooks')
      .set((column) => ({
        secret: sealSigningSecret(parts.sealer, secret, named),
        previous_secret: column.ref('secret'),
        previous_secret_until: oldSecretValidUntil,
        updated_at: at,
      }))
      .where('organization_id', '=', named.organizationId)
      .where('id', '=', named.webhookId)
      .where('deleted_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!row) throw webhookNotFound()
    return { id: row.id, secret, oldSecretValidUntil }
  })
}
