import { sql } from 'kysely'
import { eraseEventFields, type Transact, type Tx, transactOn } from '../../database/index.ts'
import type { ErasureStep } from '../../identity/index.ts'
import { ERASURE_BATCH, Failure } from '../../kernel/index.ts'
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
    await refuseWhileUnderWay(tx, named.organizationId, customerId)
    await eraseCustomers(tx, { organizationId: named.organizationId, customerIds: [customerId], at })
    return { customerId, erasedAt: at }
  })
}

/**
 * Everything personal that this room holds of an organization, in batches of its customers, which are its recipients and
 * the organization itself. Before each batch, a payment under way of any customer holds the erasure up.
 */
export const RAMP_ERASURE: ErasureStep = {
  name: 'ramp',
  async erase(tx, { organizationId, at }) {
    const batch = await tx
      .selectFrom('ramp_customers')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('erased_at', 'is', null)
      .orderBy('id')
      .limit(ERASURE_BATCH)
      // First: what was reported to a customer meanwhile is committed then, and seen below.
      .forUpdate()
      .execute()
    await refuseWhileUnderWay(tx, organizationId)
    return await eraseCustomers(tx, { organizationId, customerIds: batch.map(({ id }) => id), at })
  },
}

/** Error: CONFLICT with `details.reason` `payments_under_way`. */
async function refuseWhileUnderWay(tx: Tx, organizationId: number, customerId?: number): Promise<void> {
  let open = tx
    .selectFrom('ramp_transactions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('status', 'not in', TERMINAL_RAMP_STATUSES)
  if (customerId !== undefined) open = open.where('customer_id', '=', customerId)
  const { count } = await open.executeTakeFirstOrThrow()
  if (count > 0) {
    throw new Failure('CONFLICT', {
      message: 'Payments are in progress. Wait until they are final.',
      details: { reason: 'payments_under_way', rampTransactionsUnderWay: count },
    })
  }
}

interface ErasedCustomers {
  readonly organizationId: number
  readonly customerIds: readonly number[]
  readonly at: Date
}

/** The caller holds the locks of the customers, none of which is erased. Returns how many there are. */
async function eraseCustomers(tx: Tx, customers: ErasedCustomers): Promise<number> {
  const { organizationId, customerIds, at } = customers
  if (customerIds.length === 0) return 0
  const erased = await tx
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
    .where('id', '=', sql<number>`any(${customerIds}::bigint[])`)
    .returning(['id', 'kind', 'kyb_reference', 'kyb_attempt'])
    .execute()
  await eraseAccounts(tx, customers)
  const attempts = erased.flatMap(({ kind, kyb_attempt: last }) => (kind === 'organization' ? upTo(last) : []))
  await eraseAnswers(tx, [
    ...erased.flatMap(({ kyb_reference: reference }) => reference ?? []),
    // Only the last attempt is the customer's; the answers of a declined one are as personal.
    ...attempts.map((attempt) => sandboxReference(organizationIntent(organizationId, attempt))),
  ])
  const payments = await tx
    .selectFrom('ramp_transactions')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('customer_id', '=', sql<number>`any(${customerIds}::bigint[])`)
    .execute()
  await eraseEventFields(tx, {
    organizationId,
    objectType: 'ramp_transaction',
    objectIds: payments.map(({ id }) => id),
  })
  await eraseEventFields(tx, { organizationId, objectType: 'customer', objectIds: customerIds })
  return erased.length
}

async function eraseAccounts(tx: Tx, { organizationId, customerIds, at }: ErasedCustomers): Promise<void> {
  await tx
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
    .where('customer_id', '=', sql<number>`any(${customerIds}::bigint[])`)
    .execute()
}

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1)

/** The answers to the sandbox's form. */
async function eraseAnswers(tx: Tx, references: readonly string[]): Promise<void> {
  await tx
    .updateTable('ramp_sandbox_applications')
    .set({ answers: null })
    .where('reference', '=', sql<string>`any(${references}::text[])`)
    .execute()
}
