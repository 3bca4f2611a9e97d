import { sql } from 'kysely'
import { type Transact, type Tx, transactOn } from '../../database/index.ts'
import { type Actor, type ConsumeQuotaPlaces, creatorColumns, holdQuotaPlaces } from '../../identity/index.ts'
import { assert } from '../../kernel/index.ts'
import { startedVerification } from '../customers/advance-verification.ts'
import { type Customer, findOrganizationCustomer } from '../customers/customer.ts'
import { requireReadable, sealedCustomerColumns } from '../customers/customer-fields.ts'
import { pendingVerificationUse } from '../customers/customer-use.ts'
import { insertCustomer, nextCustomerId } from '../customers/insert-customer.ts'
import { canStartKyb } from '../customers/kyb-states.ts'
import { organizationIntent } from '../customers/verification-intents.ts'
import type { RampParts } from '../parts.ts'
import type { Onboarding } from '../provider/port.ts'

export interface KybStart {
  readonly organizationId: number
  readonly createdBy?: Actor
}

/**
 * Starts the verification of the organization itself, or restarts it after it was declined; otherwise changes nothing
 * (contract 11). Returns the customer with the link to its form. Errors: CONFLICT (the quota of pending verifications),
 * RAMP_UNAVAILABLE.
 */
export async function startKyb(
  parts: RampParts,
  { organizationId, createdBy }: KybStart,
  transact: Transact<Customer> = transactOn(parts.db),
): Promise<Customer> {
  const { name } = await parts.db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  const existing = await findOrganizationCustomer(parts, organizationId)
  const attempt = (existing?.kybAttempt ?? 0) + 1
  // Concurrent starts use the same intent and the same place, and only one of them is stored.
  const intent = organizationIntent(organizationId, attempt)
  const places = [{ organizationId, quota: 'pendingVerifications', use: pendingVerificationUse }] as const

  const store = (onboarding: Onboarding, consume: ConsumeQuotaPlaces) =>
    transact(async (tx) => {
      const owner = { organizationId, id: existing?.customerId ?? (await nextCustomerId(tx)) }
      const verification = startedVerification(parts.fields, owner, { ...onboarding, attempt })
      const { kyb_sequence: _counted, ...columns } = verification
      const started = [
        ...Object.keys(columns).map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`),
        // A provider that continues under the same reference keeps counting: what it said before the restart is old.
        sql`kyb_sequence = case when ramp_customers.kyb_reference = excluded.kyb_reference
          then ramp_customers.kyb_sequence else excluded.kyb_sequence end`,
      ]
      const stored = await insertCustomer(
        tx,
        {
          organization_id: organizationId,
          id: owner.id,
          kind: 'organization',
          type: 'business',
          ...sealedCustomerColumns(parts.fields, owner, { name, externalId: null, address: null }),
          created_at: parts.clock.now(),
          ...creatorColumns(createdBy),
          ...verification,
        },
        sql`(organization_id) where kind = 'organization' do update set ${sql.join(started)}
          where ramp_customers.kyb_attempt = ${attempt - 1} and coalesce(ramp_customers.kyb_status, 'declined') = 'declined'`,
      )
      if (stored) await consume(tx, { isCounted: true })
      return storedCustomer(parts, tx, organizationId)
    })

  if (!canStartKyb(existing?.kybStatus ?? 'new')) return transact((tx) => storedCustomer(parts, tx, organizationId))
  return holdQuotaPlaces(parts, { key: intent, places }, async (consume) => {
    const applicant = { intent, organizationId, kind: 'organization', name, type: 'business' } as const
    return store(await parts.provider.startOnboarding(applicant), consume)
  })
}

async function storedCustomer(parts: RampParts, tx: Tx, organizationId: number): Promise<Customer> {
  const customer = await findOrganizationCustomer({ ...parts, db: tx }, organizationId)
  assert(customer, 'an organization with a started verification is a customer')
  requireReadable(customer, ['kybLink'])
  return customer
}
