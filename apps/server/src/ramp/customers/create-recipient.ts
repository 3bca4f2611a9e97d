import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Transact, transactOn } from '../../database/index.ts'
import { type Actor, creatorColumns, holdQuotaPlaces } from '../../identity/index.ts'
import { EXTERNAL_ID_RETRY_MS, EXTERNAL_ID_TRIES, Failure, randomBase62 } from '../../kernel/index.ts'
import type { RampParts } from '../parts.ts'
import type { PostalAddress } from '../provider/port.ts'
import { startedVerification } from './advance-verification.ts'
import { type Customer, customerFrom } from './customer.ts'
import { sealedCustomerColumns } from './customer-fields.ts'
import { pendingVerificationUse, recipientUse } from './customer-use.ts'
import { insertCustomer, nextCustomerId } from './insert-customer.ts'

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
 * external id, or is at its quota of recipients or pending verifications), RAMP_UNAVAILABLE (also while another request
 * creates a recipient with this external id: nobody knows yet whether it will).
 */
export async function createRecipient(
  parts: RampParts,
  input: NewRecipient,
  transact: Transact<Customer> = transactOn(parts.db),
): Promise<Customer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await createUnlessHeld(parts, input, transact)
    } catch (error) {
      if (!(error instanceof ExternalIdHeld) || tries === EXTERNAL_ID_TRIES) throw error
      await pause(EXTERNAL_ID_RETRY_MS)
    }
  }
}

async function createUnlessHeld(
  parts: RampParts,
  input: NewRecipient,
  transact: Transact<Customer>,
): Promise<Customer> {
  const { organizationId, name, type, externalId, address } = input
  const refuseTakenId = async () => {
    if (externalId !== null && (await isExternalIdTaken(parts, organizationId, externalId))) throw externalIdTaken()
  }
  await refuseTakenId()
  const places = [
    { organizationId, quota: 'recipients', use: recipientUse },
    { organizationId, quota: 'pendingVerifications', use: pendingVerificationUse },
  ] as const
  const intent = `recipient-${randomBase62(parts.random, 22)}`
  // One request at a time calls the partner for an external id.
  const key =
    externalId === null
      ? intent
      : `recipient ${parts.fields.externalIdIndex(organizationId, externalId).toString('hex')}`
  return holdQuotaPlaces(parts, { key, places, whenHeld: () => new ExternalIdHeld() }, async (take) => {
    // Another request may have created the recipient since the first check.
    await refuseTakenId()
    const onboarding = await parts.provider.startOnboarding({ intent, organizationId, kind: 'recipient', name, type })
    return transact(async (tx) => {
      await take(tx)
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
  })
}

/** Also finds a plain-text external id, in a row of an earlier version that is not sealed yet. */
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

/** Not a conflict: that would be stored with the idempotency key, and the other request may still fail. */
class ExternalIdHeld extends Failure {
  constructor() {
    super('RAMP_UNAVAILABLE', {
      message:
        'Another request is creating a recipient with this external id. Retry in a moment, in two minutes at most.',
      details: { reason: 'request_in_progress' },
    })
  }
}

export const externalIdTaken = () =>
  new Failure('CONFLICT', { message: 'Another recipient of this organization has this external id.' })
