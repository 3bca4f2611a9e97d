import { labelOfPersonalFields } from '../database/index.ts'
import type { SealedColumn } from '../secrets/index.ts'
import { labelOfSigningSecret } from './endpoints/signing-secret.ts'

/** Seals the personal fields of events. */
const EVENTS_PURPOSE = 'events'

/** A rotated signing secret keeps its label when it becomes the previous one, and an older one. */
const signingSecret = (column: 'secret' | 'previous_secret'): SealedColumn => ({
  table: 'webhooks',
  column,
  key: ['organization_id', 'id'],
  purpose: 'webhooks',
  label: ({ organization_id, id }) =>
    labelOfSigningSecret({ organizationId: Number(organization_id), webhookId: Number(id) }),
})

/** The sealed values that this room opens. */
export const WEBHOOK_SEALED_COLUMNS: readonly SealedColumn[] = [
  signingSecret('secret'),
  signingSecret('previous_secret'),
  {
    table: 'webhook_old_secrets',
    column: 'secret',
    key: ['organization_id', 'webhook_id', 'id'],
    purpose: 'webhooks',
    label: ({ organization_id, webhook_id }) =>
      labelOfSigningSecret({ organizationId: Number(organization_id), webhookId: Number(webhook_id) }),
  },
  {
    table: 'outbox',
    column: 'personal',
    key: ['organization_id', 'id'],
    isIndexed: true,
    reads: ['event', 'object_type', 'object_id'],
    purpose: EVENTS_PURPOSE,
    label: ({ organization_id, event, object_type, object_id }) =>
      labelOfPersonalFields({
        organizationId: Number(organization_id),
        event: String(event),
        objectType: String(object_type),
        objectId: Number(object_id),
      }),
  },
]
