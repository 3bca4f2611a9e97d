import { inTransaction, type Transact, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { type Customer, findOrganizationCustomer, findRecipient } from '../customers/customer.ts'
import { kybTransition } from '../customers/kyb-states.ts'
import { applyProviderEvent } from '../events/apply-provider-event.ts'
import type { RampParts } from '../parts.ts'

/**
 * Asks the provider how the organization's verification stands, for whoever does not want to wait for its event.
 * Undefined before the start. Error: RAMP_UNAVAILABLE.
 */
export async function checkKyb(parts: RampParts, organizationId: number): Promise<Customer | undefined> {
  const known = await findOrganizationCustomer(parts.db, organizationId)
  const said = known?.kybReference ? await parts.provider.getOnboarding(known.kybReference) : undefined
  if (said) await inTransaction(parts.db, (tx) => applyProviderEvent(parts, tx, said))
  return findOrganizationCustomer(parts.db, organizationId)
}

export interface SimulateKybInput {
  readonly organizationId: number
  /** Null: the organization itself. */
  readonly recipientId: number | null
  readonly status: 'approved' | 'declined'
}

/**
 * Decides a verification in the provider's place; sandbox only (contract 11). Errors: SANDBOX_ONLY, RECIPIENT_NOT_FOUND,
 * RECIPIENT_ARCHIVED, CONFLICT (never begun, or decided already).
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
        ? findOrganizationCustomer(tx, organizationId)
        : findRecipient(tx, organizationId, recipientId)
    const before = await find()
    if (before?.archivedAt) throw new Failure('RECIPIENT_ARCHIVED')
    if (!before?.kybReference) throw conflict('was not begun')
    // Of two that decide at once the second waits here, and then sees what the first decided.
    const event = await simulator.decideOnboarding(tx, before.kybReference, status)
    const { kybStatus } = (await find())!
    if (!kybTransition(kybStatus, status)) throw conflict(`is ${kybStatus}`)
    const outcome = await applyProviderEvent(parts, tx, event)
    if (outcome !== 'applied') throw conflict(`is ${kybStatus}`)
    return (await find())!
  })
}

function conflict(how: string): Failure {
  return new Failure('CONFLICT', { message: `The verification ${how}, so it cannot be decided.` })
}
