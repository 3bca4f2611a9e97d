import { type Transact, type Tx, transactOn } from '../../database/index.ts'
import { addMilliseconds, Failure, WEBHOOK_OLD_SECRETS_MAX, WEBHOOK_SECRET_GRACE_MS } from '../../kernel/index.ts'
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
 * Generates a new secret. The old one also signs for 24 hours, so that receivers can switch over without losing events:
 * each does, however often the secret is rotated meanwhile. Errors: NOT_FOUND; CONFLICT while too many old secrets sign.
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
    await keepPreviousSecret(tx, named, at)
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
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id: row.id, secret, oldSecretValidUntil }
  })
}

/** Locks the webhook, and makes room for another previous secret. */
async function keepPreviousSecret(tx: Tx, named: WebhookRef, at: Date): Promise<void> {
  const { organizationId, webhookId } = named
  const webhook = await tx
    .selectFrom('webhooks')
    .select(['previous_secret as secret', 'previous_secret_until as until'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', webhookId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!webhook) throw webhookNotFound()
  await deleteOldSecrets(tx, named, at)
  const { secret, until } = webhook
  if (secret === null || until === null || until <= at) return
  const ends = [...(await endsOfOldSecrets(tx, named, at)), until]
  if (ends.length >= WEBHOOK_OLD_SECRETS_MAX)
    throw new Failure('CONFLICT', {
      message: `${ends.length} old secrets of this webhook still sign. Rotate again when the first of them has ended.`,
      details: { reason: 'old_secrets_work', until: ends[0]!.toISOString() },
    })
  await tx
    .insertInto('webhook_old_secrets')
    .values({ organization_id: organizationId, webhook_id: webhookId, secret, valid_until: until })
    .execute()
}

/** When the old secrets of a webhook end that sign after `at`, the soonest first; not the previous one. */
async function endsOfOldSecrets(tx: Tx, { organizationId, webhookId }: WebhookRef, at: Date): Promise<Date[]> {
  const rows = await tx
    .selectFrom('webhook_old_secrets')
    .select('valid_until')
    .where('organization_id', '=', organizationId)
    .where('webhook_id', '=', webhookId)
    .where('valid_until', '>', at)
    .orderBy('valid_until')
    .execute()
  return rows.map(({ valid_until: end }) => end)
}

/** Destroys old secrets of a webhook: those that ended by `endedBy`, or all. */
export async function deleteOldSecrets(
  tx: Tx,
  { organizationId, webhookId }: WebhookRef,
  endedBy?: Date,
): Promise<void> {
  await tx
    .deleteFrom('webhook_old_secrets')
    .where('organization_id', '=', organizationId)
    .where('webhook_id', '=', webhookId)
    .$if(endedBy !== undefined, (query) => query.where('valid_until', '<=', endedBy!))
    .execute()
}
