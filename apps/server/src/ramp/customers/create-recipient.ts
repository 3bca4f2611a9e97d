import { type Transact, transactOn } from '../../database/index.ts'
import { checkQuota, requireQuota } from '../../identity/index.ts'
import { Failure, randomBase62 } from '../../kernel/index.ts'
import type { RampParts } from '../parts.ts'
import type { PostalAddress } from '../provider/port.ts'
import { type Customer, customerFrom } from './customer.ts'
import { pendingVerificationUse, recipientUse } from './customer-use.ts'
import { startedVerification } from './move-verification.ts'

export interface NewRecipient {
  readonly organizationId: number
  readonly name: string
  readonly type: string
  readonly externalId: string | null
  readonly address: PostalAddress | null
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
    const row = await tx
      .insertInto('ramp_customers')
      .values({
        organization_id: organizationId,
        kind: 'recipient',
        name,
        type,
        external_id: externalId,
        address: address && JSON.stringify(address),
        ...startedVerification(onboarding, 1),
        created_at: parts.clock.now(),
      })
      .onConflict((conflict) =>
        conflict.columns(['organization_id', 'external_id']).where('external_id', 'is not', null).doNothing(),
      )
      .returningAll()
      .executeTakeFirst()
    if (!row) throw externalIdTaken()
    return customerFrom(row)
  })
}

async function isExternalIdTaken({ db }: RampParts, organizationId: number, externalId: string): Promise<boolean> {
  const row = await db
    .selectFrom('ramp_customers')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('external_id', '=', externalId)
    .executeTakeFirst()
  return row !== undefined
}

export const externalIdTaken = () =>
  new Failure('CONFLICT', { message: 'Another recipient of this organization has this external id.' })
