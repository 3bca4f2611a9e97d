import type { Selectable } from 'kysely'
import type { Database, KybStatus, Schema, Tx } from '../../database/index.ts'
import { assert, Failure } from '../../kernel/index.ts'
import type { PostalAddress } from '../provider/port.ts'

/**
 * A party that is verified and holds accounts: the organization itself or one of its recipients. It is stored when its
 * verification starts.
 */
export interface Customer {
  readonly organizationId: number
  readonly customerId: number
  readonly kind: 'organization' | 'recipient'
  readonly name: string
  readonly type: string
  readonly externalId: string | null
  readonly address: PostalAddress | null
  readonly kybStatus: KybStatus
  /** Absolute, or a path of this service. */
  readonly kybLink: string
  readonly kybReference: string
  readonly kybAttempt: number
  readonly createdAt: Date
  readonly archivedAt: Date | null
}

export function customerFrom(row: Selectable<Schema['ramp_customers']>): Customer {
  const { kyb_status: kybStatus, kyb_link: kybLink, kyb_reference: kybReference } = row
  assert(kybStatus !== null && kybLink !== null && kybReference !== null, 'a customer has a started verification')
  return {
    organizationId: row.organization_id,
    customerId: row.id,
    kind: row.kind,
    name: row.name,
    type: row.type,
    externalId: row.external_id,
    address: row.address as PostalAddress | null,
    kybStatus,
    kybLink,
    kybReference,
    kybAttempt: row.kyb_attempt,
    createdAt: row.created_at,
    archivedAt: row.archived_at,
  }
}

/** A recipient of the organization. Error: RECIPIENT_NOT_FOUND. */
export async function findRecipient(db: Database | Tx, organizationId: number, customerId: number): Promise<Customer> {
  const row = await recipients(db, organizationId).where('id', '=', customerId).executeTakeFirst()
  if (!row) throw new Failure('RECIPIENT_NOT_FOUND')
  return customerFrom(row)
}

/** The same, locked until the transaction ends. Error: RECIPIENT_NOT_FOUND. */
export async function lockRecipient(tx: Tx, organizationId: number, customerId: number): Promise<Customer> {
  const row = await recipients(tx, organizationId).where('id', '=', customerId).forUpdate().executeTakeFirst()
  if (!row) throw new Failure('RECIPIENT_NOT_FOUND')
  return customerFrom(row)
}

function recipients(db: Database | Tx, organizationId: number) {
  return db
    .selectFrom('ramp_customers')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'recipient')
}

/** The organization itself as a customer; `undefined` before its verification starts. */
export async function findOrganizationCustomer(
  db: Database | Tx,
  organizationId: number,
): Promise<Customer | undefined> {
  const row = await db
    .selectFrom('ramp_customers')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'organization')
    .executeTakeFirst()
  return row && customerFrom(row)
}

/** Requires an active, verified customer. Errors: RECIPIENT_ARCHIVED, KYB_NOT_APPROVED. */
export function requireApproved(customer: Customer | undefined): asserts customer is Customer {
  if (customer?.archivedAt) throw new Failure('RECIPIENT_ARCHIVED')
  if (customer?.kybStatus !== 'approved') throw new Failure('KYB_NOT_APPROVED')
}
