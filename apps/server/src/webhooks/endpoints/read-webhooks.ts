import type { Database, Tx } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { WEBHOOK_COLUMNS, type Webhook, webhookFrom } from './webhook.ts'

/** A webhook id within an organization. Another organization's id does not exist (contract 1). */
export interface WebhookRef {
  readonly organizationId: number
  readonly webhookId: number
}

/** The webhooks of an organization, newest first; `limit: null` means all, at most 100. Two statements. */
export async function listWebhooks(
  db: Database,
  organizationId: number,
  window: { readonly limit: number | null; readonly offset: number },
): Promise<{ webhooks: Webhook[]; total: number }> {
  const all = db.selectFrom('webhooks').where('organization_id', '=', organizationId).where('deleted_at', 'is', null)
  const { total } = await all.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  let page = all.select(WEBHOOK_COLUMNS).orderBy('id', 'desc').offset(window.offset)
  if (window.limit !== null) page = page.limit(window.limit)
  const rows = await page.execute()
  return { webhooks: rows.map(webhookFrom), total }
}

/** One webhook. Error: NOT_FOUND. */
export async function getWebhook(db: Database | Tx, { organizationId, webhookId }: WebhookRef): Promise<Webhook> {
  const row = await db
    .selectFrom('webhooks')
    .select(WEBHOOK_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('id', '=', webhookId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw webhookNotFound()
  return webhookFrom(row)
}

export const webhookNotFound = () => new Failure('NOT_FOUND', { message: 'The webhook does not exist.' })
