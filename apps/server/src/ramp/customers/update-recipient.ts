import { isUniqueViolation, type Transact, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { RampParts } from '../parts.ts'
import type { PostalAddress } from '../provider/port.ts'
import { externalIdTaken } from './create-recipient.ts'
import { type Customer, customerFrom, lockRecipient } from './customer.ts'
import {
  type CustomerFields,
  sealedAddressColumns,
  sealedExternalIdColumns,
  sealedNameColumns,
} from './customer-fields.ts'

/** Omitted fields keep their values; null clears a field. */
export interface RecipientUpdate {
  readonly name?: string
  readonly externalId?: string | null
  readonly address?: PostalAddress | null
}

/**
 * A field that does not open keeps what is stored, unless the update replaces it.
 *
 * Errors: RECIPIENT_NOT_FOUND, RECIPIENT_ARCHIVED (the personal data was erased), CONFLICT (another recipient has
 * the external id).
 */
export async function updateRecipient(
  { db, fields }: Pick<RampParts, 'db' | 'fields'>,
  named: { readonly organizationId: number; readonly customerId: number },
  change: RecipientUpdate,
  transact: Transact<Customer> = transactOn(db),
): Promise<Customer> {
  return transact(async (tx) => {
    const before = await lockRecipient({ db: tx, fields }, named.organizationId, named.customerId)
    if (before.erasedAt) throw new Failure('RECIPIENT_ARCHIVED')
    const { name = before.name, externalId = before.externalId, address = before.address } = change
    const owner = { organizationId: named.organizationId, id: named.customerId }
    const isKnown = (field: keyof CustomerFields) => change[field] !== undefined || !before.unreadable?.includes(field)
    const row = await tx
      .updateTable('ramp_customers')
      .set({
        ...(isKnown('name') && sealedNameColumns(fields, owner, { name })),
        ...(isKnown('externalId') && sealedExternalIdColumns(fields, owner, { externalId })),
        ...(isKnown('address') && sealedAddressColumns(fields, owner, { address })),
      })
      .where('organization_id', '=', named.organizationId)
      .where('id', '=', named.customerId)
      .returningAll()
      .executeTakeFirstOrThrow()
    return customerFrom(fields, row)
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? externalIdTaken() : error
  })
}

/**
 * Archives a recipient and its accounts permanently; its history is kept. Repeating it changes nothing. Error:
 * RECIPIENT_NOT_FOUND.
 */
export async function archiveRecipient(
  { db, clock, fields }: Pick<RampParts, 'db' | 'clock' | 'fields'>,
  named: { readonly organizationId: number; readonly customerId: number },
  transact: Transact<Customer> = transactOn(db),
): Promise<Customer> {
  return transact(async (tx) => {
    const before = await lockRecipient({ db: tx, fields }, named.organizationId, named.customerId)
    const row = await tx
      .updateTable('ramp_customers')
      .set({ archived_at: before.archivedAt ?? clock.now() })
      .where('organization_id', '=', named.organizationId)
      .where('id', '=', named.customerId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('ramp_accounts')
      .set({ status: 'archived' })
      .where('organization_id', '=', named.organizationId)
      .where('customer_id', '=', named.customerId)
      .execute()
    return customerFrom(fields, row)
  })
}
