import { eraseEventFields, type Transact, type Tx, transactOn } from '../../database/index.ts'
import type { ErasureStep } from '../../identity/index.ts'
import { Failure } from '../../kernel/index.ts'
import { ERASED_LINK } from '../customers/advance-verification.ts'
import { lockRecipient } from '../customers/customer.ts'
import { organizationIntent, sandboxReference } from '../customers/verification-intents.ts'
import type { RampParts } from '../parts.ts'
import { TERMINAL_RAMP_STATUSES } from '../transactions/ramp-transaction-states.ts'

/** A recipient without personal data. */
export interface ErasedRecipient {
  readonly customerId: number
  readonly erasedAt: Date
}

/**
 * Destroys the personal and bank data of a recipient, and archives it with its accounts. Its payments, amounts and ledger
 * entries stay, and tokens that still arrive at its deposit addresses are returned. Repeating it changes nothing.
 *
 * Errors: RECIPIENT_NOT_FOUND; CONFLICT with `details.reason` `payments_under_way` while a payment of it is not final.
 */
export async function eraseRecipient(
  parts: Pick<RampParts, 'db' | 'clock' | 'fields'>,
  named: { readonly organizationId: number; readonly customerId: number },
  transact: Transact<ErasedRecipient> = transactOn(parts.db),
): Promise<ErasedRecipient> {
  return transact(async (tx) => {
    const { erasedAt, customerId } = await lockRecipient({ ...parts, db: tx }, named.organizationId, named.customerId)
    if (erasedAt) return { customerId, erasedAt }
    const at = parts.clock.now()
    await eraseCustomers(tx, { ...named, at })
    return { customerId, erasedAt: at }
  })
}

/**
 * The same for one customer, or for all customers of an organization and the organization itself. The caller holds the
 * lock of the recipient or of the organization. Returns how many customers lost data. Error: CONFLICT, as above.
 */
async function eraseCustomers(
  tx: Tx,
  {
    organizationId,
    customerId,
    at,
  }: { readonly organizationId: number; readonly customerId?: number; readonly at: Date },
): Promise<number> {
  let erasable = tx.selectFrom('ramp_customers').select('id').where('organization_id', '=', organizationId)
  if (customerId !== undefined) erasable = erasable.where('id', '=', customerId)
  // First: what was reported to a customer meanwhile is committed then, and seen below.
  await erasable.orderBy('id').forUpdate().execute()
  let paid = tx.selectFrom('ramp_transactions').select(['id', 'status']).where('organization_id', '=', organizationId)
  if (customerId !== undefined) paid = paid.where('customer_id', '=', customerId)
  const payments = await paid.execute()
  const underWay = payments.filter(({ status }) => !TERMINAL_RAMP_STATUSES.includes(status)).length
  if (underWay > 0) {
    throw new Failure('CONFLICT', {
      message: 'Payments are in progress. Wait until they are final.',
      details: { reason: 'payments_under_way', rampTransactionsUnderWay: underWay },
    })
  }
  let customers = tx
    .updateTable('ramp_customers')
    .set((column) => ({
      name: '',
      sealed_name: null,
      external_id: null,
      sealed_external_id: null,
      external_id_index: null,
      address: null,
      sealed_address: null,
      ...ERASED_LINK,
      archived_at: column.fn.coalesce('archived_at', column.val(at)),
      erased_at: at,
    }))
    .where('organization_id', '=', organizationId)
    .where('erased_at', 'is', null)
  if (customerId !== undefined) customers = customers.where('id', '=', customerId)
  const erased = await customers.returning(['id', 'kind', 'kyb_reference', 'kyb_attempt']).execute()
  await eraseAccounts(tx, organizationId, customerId, at)
  const attempts = erased.flatMap(({ kind, kyb_attempt: last }) => (kind === 'organization' ? upTo(last) : []))
  await eraseAnswers(tx, [
    ...erased.flatMap(({ kyb_reference: reference }) => reference ?? []),
    // Only the last attempt is the customer's; the answers of a declined one are as personal.
    ...attempts.map((attempt) => sandboxReference(organizationIntent(organizationId, attempt))),
  ])
  await eraseEventFields(tx, {
    organizationId,
    objectType: 'ramp_transaction',
    objectIds: payments.map(({ id }) => id),
  })
  await eraseEventFields(tx, { organizationId, objectType: 'customer', objectIds: erased.map(({ id }) => id) })
  return erased.length
}

/** Everything personal that this room holds of an organization. */
export const RAMP_ERASURE: ErasureStep = { name: 'ramp', erase: eraseCustomers }

async function eraseAccounts(tx: Tx, organizationId: number, customerId: number | undefined, at: Date): Promise<void> {
  let accounts = tx
    .updateTable('ramp_accounts')
    .set({
      bank_name: '',
      sealed_bank_name: null,
      routing_number: '',
      sealed_routing_number: null,
      account_number: Buffer.alloc(0),
      account_number_last4: '',
      account_holder: null,
      sealed_account_holder: null,
      status: 'archived',
      erased_at: at,
    })
    .where('organization_id', '=', organizationId)
  if (customerId !== undefined) accounts = accounts.where('customer_id', '=', customerId)
  await accounts.execute()
}

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1)

/** The answers to the sandbox's form. */
async function eraseAnswers(tx: Tx, references: readonly string[]): Promise<void> {
  if (references.length === 0) return
  await tx
    .updateTable('ramp_sandbox_applications')
    .set({ answers: null })
    .where('reference', 'in', references)
    .execute()
}
