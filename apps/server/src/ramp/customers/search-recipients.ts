import type { SelectQueryBuilder } from 'kysely'
import type { KybStatus, Schema } from '../../database/index.ts'
import { SEARCH_NAMES_MAX, UNREADABLE } from '../../kernel/index.ts'
import type { RampParts } from '../parts.ts'
import { readName } from './customer-fields.ts'

interface FoundRecipient {
  readonly customerId: number
  readonly name: string
  readonly kybStatus: KybStatus | null
  readonly isArchived: boolean
}

/**
 * Recipients by their id, their whole external id, or the beginning of a word of their name, in any case; at most `limit`,
 * newest first. `unsearched` counts those whose names were not opened.
 */
export async function searchRecipients(
  parts: Pick<RampParts, 'db' | 'fields'>,
  organizationId: number,
  text: string,
  limit: number,
): Promise<{ readonly recipients: FoundRecipient[]; readonly unsearched: number }> {
  const recipients = parts.db
    .selectFrom('ramp_customers')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'recipient')
  const { found, unsearched } = await matchRecipients(parts, recipients, { organizationId, text })
  return {
    recipients: found.slice(0, limit).map(({ row, name }) => ({
      customerId: row.id,
      name: name ?? UNREADABLE,
      kybStatus: row.kyb_status,
      isArchived: row.archived_at !== null,
    })),
    unsearched,
  }
}

/**
 * Those of an organization's `recipients` that a text finds: first by id and external id, then by name, newest first. Names
 * are encrypted: those of the newest are opened, and `unsearched` counts the others.
 */
export async function matchRecipients(
  { fields }: Pick<RampParts, 'fields'>,
  recipients: SelectQueryBuilder<Schema, 'ramp_customers', object>,
  { organizationId, text }: { readonly organizationId: number; readonly text: string },
) {
  const named = recipients.select(['id', 'sealed_name', 'name', 'kyb_status', 'archived_at']).orderBy('id', 'desc')
  const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
  const [newest, exact, { total }] = await Promise.all([
    named.limit(SEARCH_NAMES_MAX).execute(),
    // An organization has each external id once.
    named
      .where(({ or, eb }) =>
        or([
          eb('external_id_index', '=', fields.externalIdIndex(organizationId, text)),
          ...(id === null ? [] : [eb('id', '=', id)]),
        ]),
      )
      .execute(),
    recipients.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  const words = ` ${text.toLowerCase()}`
  const nameOf = (row: (typeof newest)[number]) => readName(fields, { organizationId, id: row.id }, row)
  const rows = [...exact, ...newest.filter((row) => ` ${nameOf(row)?.toLowerCase() ?? ''}`.includes(words))]
  const unique = [...new Map(rows.map((row) => [row.id, row])).values()]
  return { found: unique.map((row) => ({ row, name: nameOf(row) })), unsearched: total - newest.length }
}
