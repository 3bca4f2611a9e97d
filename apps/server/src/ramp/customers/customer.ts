import type { Selectable } from 'kysely'
import type { Database, KybStatus, Schema, Tx } from '../../database/index.ts'
import { type Actor, creatorFrom } from '../../identity/index.ts'
import { assert, Failure } from '../../kernel/index.ts'
import type { RampParts } from '../parts.ts'
import type { PostalAddress } from '../provider/port.ts'
import type { FieldSealer } from '../sealing/sealed-fields.ts'
import { type CustomerField, readCustomerFields } from './customer-fields.ts'

/** The fields that a customer has in every state. */
interface CommonCustomerFields {
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
  /** Who started its verification; null: an earlier version. */
  readonly createdBy: Actor | null
  /** Fields that do not open; absent: all do. */
  readonly unreadable?: readonly CustomerField[]
}

interface ActiveCustomer {
  readonly archivedAt: null
  readonly erasedAt?: never
}

interface ArchivedCustomer {
  readonly archivedAt: Date
  /** When the personal data was destroyed; absent: it was not. */
  readonly erasedAt?: Date
}

/**
 * A party that is verified and holds accounts: the organization itself or one of its recipients. It is stored when its
 * verification starts. Only an archived one can be erased.
 */
export type Customer = CommonCustomerFields & (ActiveCustomer | ArchivedCustomer)

export function customerFrom(fields: FieldSealer, row: Selectable<Schema['ramp_customers']>): Customer {
  const { kyb_status: kybStatus, kyb_reference: kybReference } = row
  assert(kybStatus !== null && kybReference !== null, 'a customer has a started verification')
  return {
    organizationId: row.organization_id,
    customerId: row.id,
    kind: row.kind,
    type: row.type,
    ...readCustomerFields(fields, row),
    kybStatus,
    kybReference,
    kybAttempt: row.kyb_attempt,
    createdAt: row.created_at,
    createdBy: creatorFrom(row),
    ...archivedFrom(row),
  }
}

function archivedFrom({
  archived_at: archivedAt,
  erased_at: erasedAt,
}: Selectable<Schema['ramp_customers']>): ActiveCustomer | ArchivedCustomer {
  if (archivedAt !== null) return { archivedAt, ...(erasedAt && { erasedAt }) }
  assert(erasedAt === null, 'an erased customer is archived')
  return { archivedAt }
}

/** Reads customers, in a transaction or not. */
export type CustomerParts = Pick<RampParts, 'fields'> & { readonly db: Database | Tx }

/** A recipient of the organization. Error: RECIPIENT_NOT_FOUND. */
export async function findRecipient(
  { db, fields }: CustomerParts,
  organizationId: number,
  customerId: number,
): Promise<Customer> {
  const row = await recipients(db, organizationId).where('id', '=', customerId).executeTakeFirst()
  if (!row) throw new Failure('RECIPIENT_NOT_FOUND')
  return customerFrom(fields, row)
}

/** The same, locked until the transaction ends. Error: RECIPIENT_NOT_FOUND. */
export async function lockRecipient(
  { db, fields }: CustomerParts & { readonly db: Tx },
  organizationId: number,
  customerId: number,
): Promise<Customer> {
  const row = await recipients(db, organizationId).where('id', '=', customerId).forUpdate().executeTakeFirst()
  if (!row) throw new Failure('RECIPIENT_NOT_FOUND')
  return customerFrom(fields, row)
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
  { db, fields }: CustomerParts,
  organizationId: number,
): Promise<Customer | undefined> {
  const row = await db
    .selectFrom('ramp_customers')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'organization')
    .executeTakeFirst()
  return row && customerFrom(fields, row)
}

/** Requires an active, verified customer. Errors: RECIPIENT_ARCHIVED, KYB_NOT_APPROVED. */
export function requireApproved(customer: Customer | undefined): asserts customer is Customer {
  if (customer?.archivedAt) throw new Failure('RECIPIENT_ARCHIVED')
  if (customer?.kybStatus !== 'approved') throw new Failure('KYB_NOT_APPROVED')
}
