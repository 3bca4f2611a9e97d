import { sql } from 'kysely'
import { type Transact, transactOn } from '../../database/index.ts'
import { type Actor, checkQuota, creatorColumns, requireQuota } from '../../identity/index.ts'
import { Failure, randomBase62 } from '../../kernel/index.ts'
import type { RampParts } from '../parts.ts'
import type { PostalAddress } from '../provider/port.ts'
import { type Customer, customerFrom } from './customer.ts'
import { sealedCustomerColumns } from './customer-fields.ts'
import { pendingVerificationUse, recipientUse } from './customer-use.ts'
import { insertCustomer, nextCustomerId } from './insert-customer.ts'
import { startedVerification } from './move-verification.ts'

export interface NewRecipient {
  readonly organizationId: number
  readonly name: string
  readonly type: string
  readonly externalId: string | null
  readonly address: PostalAddress | null
  /** Who creates it. */
  readonly createdBy?: Actor
}

/**
 * Creates a recipient and starts its verification (spec 4.7). Errors: CONFLICT (the organization already uses the
 * external id, or is at its quota of recipients or pending verifications), RAMP_UNAVAILABLE.
 */
export async function createRecipient(
  parts: RampParts,
  input: NewRecipient,
  transact: Transact<Customer> = transactOn(parts.db),
): Promise<Customer> {
  const { organizationId, name, type, externalId, address } = input
  if (externalId !== null && (await isExternalIdTaken(parts, organizationId, externalId))) throw externalIdTaken()
  const places = [
    { organizationId, quota: 'recipients', use: recipientUse },
    { organizationId, quota: 'pendingVerifications', use: pendingVerificationUse },
  ] as const
  for (const place of places) await checkQuota(parts.db, parts, place)
  const onboarding = await parts.provider.startOnboarding({
    intent: `recipient-${randomBase62(parts.random, 22)}`,
    organizationId,
    kind: 'recipient',
    name,
    type,
  })
  return transact(async (tx) => {
    for (const place of places) await requireQuota(tx, parts, place)
    const owner = { organizationId, id: await nextCustomerId(tx) }
    const customer = {
      organization_id: organizationId,
      id: owner.id,
      kind: 'recipient' as const,
      type,
      ...sealedCustomerColumns(parts.fields, owner, { name, externalId, address }),
      ...startedVerification(parts.fields, owner, { ...onboarding, attempt: 1 }),
      created_at: parts.clock.now(),
      ...creatorColumns(input.createdBy),
    }
    const onConflict = sql`(organization_id, external_id_index) where external_id_index is not null do nothing`
    const row = await insertCustomer(tx, customer, onConflict)
    if (!row) throw externalIdTaken()
    return customerFrom(parts.fields, row)
  })
}

/** Also finds an external id in clear, in a row of an earlier version that is not sealed yet. */
async function isExternalIdTaken(
  { db, fields }: RampParts,
  organizationId: number,
  externalId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('ramp_customers')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where((is) =>
      is.or([
        is('external_id_index', '=', fields.externalIdIndex(organizationId, externalId)),
        is('external_id', '=', externalId),
      ]),
    )
    .executeTakeFirst()
  return row !== undefined
}

export const externalIdTaken = () =>
  new Failure('CONFLICT', { message: 'Another recipient of this organization has this external id.' })
