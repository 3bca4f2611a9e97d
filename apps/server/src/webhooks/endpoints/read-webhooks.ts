import { type RawBuilder, sql } from 'kysely'
import { containing, type Database, type Tx } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { WEBHOOK_COLUMNS, type Webhook, webhookFrom } from './webhook.ts'

/** A webhook id within an organization. Another organization's id does not exist (contract 1). */
export interface WebhookRef {
  readonly organizationId: number
  readonly webhookId: number
}

interface WebhookFilter {
  readonly status?: Webhook['status'] | undefined
  /** A part of the URL or of the description, in any case. */
  readonly text?: string | undefined
}

const STATUS_SQL: Readonly<Record<Webhook['status'], RawBuilder<boolean>>> = {
  active: sql`(disabled_at is null and failing_at is null)`,
  failing: sql`(disabled_at is null and failing_at is not null)`,
  disabled: sql`disabled_at is not null`,
}

/** The webhooks of an organization that match, newest first; `limit: null` means all, at most 100. Two statements. */
export async function listWebhooks(
  db: Database,
  organizationId: number,
  window: { readonly limit: number | null; readonly offset: number },
  { status, text }: WebhookFilter = {},
): Promise<{ webhooks: Webhook[]; total: number }> {
  let all = db.selectFrom('webhooks').where('organization_id', '=', organizationId).where('deleted_at', 'is', null)
  if (status !== undefined) all = all.where(STATUS_SQL[status])
  if (text !== undefined)
    all = all.where(sql<boolean>`(lower(url) like ${containing(text)} or lower(description) like ${containing(text)})`)
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
