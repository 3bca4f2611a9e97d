import type { Selectable } from 'kysely'
import type { Schema } from '../../database/index.ts'
import { type Actor, creatorFrom } from '../../identity/index.ts'

/** The fields that a webhook has in every status. */
interface WebhookFields {
  readonly id: number
  readonly url: string
  /** Event names, or only `*`. */
  readonly events: readonly string[]
  readonly description: string | null
  /** The first failure since the last success, in every status. */
  readonly failingSince: Date | null
  readonly createdAt: Date
  /** `null` for webhooks of earlier versions. */
  readonly createdBy: Actor | null
  readonly updatedAt: Date
}

/**
 * A webhook without its secret. `failing`: a delivery ran out of attempts and none has succeeded since. `disabled`:
 * nothing is sent.
 */
export type Webhook = WebhookFields &
  (
    | { readonly status: 'active' | 'failing' }
    | { readonly status: 'disabled'; readonly disabledBecause: NonNullable<Row['disable_reason']> }
  )

type Row = Selectable<Schema['webhooks']>

export const WEBHOOK_COLUMNS = [
  'id',
  'url',
  'events',
  'description',
  'disabled_at',
  'disable_reason',
  'failing_at',
  'failing_since',
  'created_at',
  'created_by_type',
  'created_by_id',
  'updated_at',
] as const satisfies readonly (keyof Row)[]

export function webhookFrom(row: Pick<Row, (typeof WEBHOOK_COLUMNS)[number]>): Webhook {
  const fields: WebhookFields = {
    id: row.id,
    url: row.url,
    events: row.events,
    description: row.description,
    failingSince: row.failing_since,
    createdAt: row.created_at,
    createdBy: creatorFrom(row),
    updatedAt: row.updated_at,
  }
  if (row.disabled_at) return { ...fields, status: 'disabled', disabledBecause: row.disable_reason! }
  return { ...fields, status: row.failing_at ? 'failing' : 'active' }
}

/** Columns that reset a webhook's health. */
export const RESET_HEALTH = {
  failures: 0,
  failing_since: null,
  failing_at: null,
  paused_until: null,
  disabled_at: null,
  disable_reason: null,
} as const
