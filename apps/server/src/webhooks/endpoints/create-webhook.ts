import { sql } from 'kysely'
import { type Transact, transactOn } from '../../database/index.ts'
import { type Actor, requireQuota } from '../../identity/index.ts'
import { checkUrl } from '../guard/check-url.ts'
import type { WebhookParts } from '../parts.ts'
import { checkEventFilter } from './check-event-filter.ts'
import { generateSigningSecret, sealSigningSecret } from './signing-secret.ts'
import { WEBHOOK_COLUMNS, type Webhook, webhookFrom } from './webhook.ts'
import { webhookUse } from './webhook-use.ts'

/** Includes the secret, which is returned only once. */
export type CreatedWebhook = Webhook & {
  readonly secret: string
}

export interface NewWebhook {
  readonly organizationId: number
  readonly url: string
  readonly events: readonly string[]
  readonly description?: string | null | undefined
  /** Who creates it. */
  readonly createdBy?: Actor
}

/**
 * Creates a webhook, which receives events from now on (contract 12). Errors: VALIDATION_ERROR at `url` or `events`;
 * CONFLICT if the organization is at its quota, by default 100.
 */
export async function createWebhook(
  parts: Pick<WebhookParts, 'db' | 'clock' | 'random' | 'sealer' | 'rules' | 'quotas'>,
  input: NewWebhook,
  transact: Transact<CreatedWebhook> = transactOn(parts.db),
): Promise<CreatedWebhook> {
  const { organizationId } = input
  const url = checkUrl(parts.rules, input.url)
  const events = checkEventFilter(input.events)
  const secret = generateSigningSecret(parts.random)
  return await transact(async (tx) => {
    await requireQuota(tx, parts, { organizationId, quota: 'webhooks', use: webhookUse })
    const at = parts.clock.now()
    const { rows } = await sql<{ id: number }>`
      select nextval(pg_get_serial_sequence('webhooks', 'id')) as id
    `.execute(tx)
    const { id } = rows[0]!
    const row = await sql`
      insert into webhooks (organization_id, id, url, events, description, secret, created_at, updated_at,
        created_by_type, created_by_id)
      overriding system value
      values (${organizationId}, ${id}, ${url}, ${events}::text[], ${input.description ?? null},
        ${sealSigningSecret(parts.sealer, secret, { organizationId, webhookId: id })}, ${at}, ${at},
        ${input.createdBy?.type ?? null}, ${input.createdBy?.id ?? null})
      returning ${sql.join(WEBHOOK_COLUMNS.map((column) => sql.ref(column)))}
    `.execute(tx)
    return { ...webhookFrom(row.rows[0] as Parameters<typeof webhookFrom>[0]), secret }
  })
}
