import { inTransaction, type Transact, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { type Customer, findOrganizationCustomer, findRecipient } from '../customers/customer.ts'
import { KYB } from '../customers/kyb-states.ts'
import { applyProviderEvent } from '../events/apply-provider-event.ts'
import type { RampParts } from '../parts.ts'

/**
 * Refreshes the organization's verification from the provider, for callers that do not want to wait for its event.
 * `undefined` before the verification starts. Error: RAMP_UNAVAILABLE.
 */
export async function checkKyb(parts: RampParts, organizationId: number): Promise<Customer | undefined> {
  const customer = await findOrganizationCustomer(parts, organizationId)
  const event = customer ? await parts.provider.getOnboarding(customer.kybReference) : undefined
  if (event) await inTransaction(parts.db, (tx) => applyProviderEvent(parts, tx, event))
  return findOrganizationCustomer(parts, organizationId)
}

export interface SimulateKybInput {
  readonly organizationId: number
  /** Null: the organization itself. */
  readonly recipientId: number | null
  readonly status: 'approved' | 'declined'
}

/**
 * Simulates the provider's decision on a verification; sandbox only (contract 11). Errors: SANDBOX_ONLY,
 * RECIPIENT_NOT_FOUND, RECIPIENT_ARCHIVED, CONFLICT (never started, or already decided).
 */
export async function simulateKyb(
  parts: RampParts,
  { organizationId, recipientId, status }: SimulateKybInput,
  transact: Transact<Customer> = transactOn(parts.db),
): Promise<Customer> {
  const { simulator } = parts.provider
  if (!simulator) throw new Failure('SANDBOX_ONLY')
  return transact(async (tx) => {
    const find = () =>
      recipientId === null
        ? findOrganizationCustomer({ ...parts, db: tx }, organizationId)
        : findRecipient({ ...parts, db: tx }, organizationId, recipientId)
    const before = await find()
    if (before?.archivedAt) throw new Failure('RECIPIENT_ARCHIVED')
    if (!before) throw conflict('was not started')
    // A concurrent second decision waits here and then sees the first.
    const event = await simulator.decideOnboarding(tx, before.kybReference, status)
    const { kybStatus } = (await find())!
    if (!KYB.find(kybStatus, status)) throw conflict(`is ${kybStatus}`)
    const outcome = await applyProviderEvent(parts, tx, event)
    if (outcome !== 'applied') throw conflict(`is ${kybStatus}`)
    return (await find())!
  })
}

function conflict(reason: string): Failure {
  return new Failure('CONFLICT', { message: `The verification ${reason}, so it cannot be decided.` })
}
