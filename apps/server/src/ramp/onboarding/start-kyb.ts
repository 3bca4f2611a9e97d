import { type Transact, transactOn } from '../../database/index.ts'
import { assert } from '../../kernel/index.ts'
import { type Customer, findOrganizationCustomer } from '../customers/customer.ts'
import { canStartKyb } from '../customers/kyb-states.ts'
import type { RampParts } from '../parts.ts'

/**
 * Begins to verify the organization itself, or begins again after it was declined; otherwise changes nothing (decisions
 * 11). The customer comes back with the link to its form. Error: RAMP_UNAVAILABLE.
 */
export async function startKyb(
  parts: RampParts,
  organizationId: number,
  transact: Transact<Customer> = transactOn(parts.db),
): Promise<Customer> {
  const { name } = await parts.db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  const known = await findOrganizationCustomer(parts.db, organizationId)
  const attempt = (known?.kybAttempt ?? 0) + 1
  // Of two that begin at once both ask with the same intent, and one of them writes it down.
  const begun = canStartKyb(known?.kybStatus ?? null)
    ? await parts.provider.startOnboarding({
        intent: `organization-${organizationId}-${attempt}`,
        organizationId,
        kind: 'organization',
        name,
        type: 'business',
      })
    : undefined

  return transact(async (tx) => {
    if (begun) {
      const verification = {
        kyb_status: 'pending',
        kyb_link: begun.link,
        kyb_reference: begun.reference,
        kyb_attempt: attempt,
        kyb_sequence: 0,
      } as const
      await tx
        .insertInto('ramp_customers')
        .values({
          organization_id: organizationId,
          kind: 'organization',
          name,
          type: 'business',
          created_at: parts.clock.now(),
          ...verification,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['organization_id'])
            .where('kind', '=', 'organization')
            .doUpdateSet(verification)
            .where('ramp_customers.kyb_attempt', '=', attempt - 1),
        )
        .execute()
    }
    const customer = await findOrganizationCustomer(tx, organizationId)
    assert(customer, 'an organization that began its verification is a customer')
    return customer
  })
}
