import type { Database, Tx } from '../database/index.ts'
import { Failure } from '../kernel/index.ts'
import { WEBHOOK_COLUMNS, type Webhook, webhookFrom } from './webhook.ts'

/** An id of the organization. Another's answers like one that does not exist (decisions 1). */
export interface Named {
  readonly organizationId: number
  readonly webhookId: number
}

/** The webhooks of an organization, newest first. There are at most 100. */
export async function listWebhooks(db: Database, organizationId: number): Promise<Webhook[]> {
  const rows = await db
    .selectFrom('webhooks')
    .select(WEBHOOK_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(webhookFrom)
}

/** One webhook. Error: NOT_FOUND. */
export async function getWebhook(db: Database | Tx, { organizationId, webhookId }: Named): Promise<Webhook> {
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
