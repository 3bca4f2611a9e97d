import { type Database, extendTransact, type Transact, type Tx, transactOn } from '../../database/index.ts'
import { addMilliseconds, type Clock, ERASURE_BATCH, Failure, randomBase62 } from '../../kernel/index.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { type DeleteOrganizationInput, deleteOrganization } from './delete-organization.ts'
import { type ErasedOrganization, receiptHash } from './erasure.ts'

/** 43 characters are 256 bits. */
const RECEIPT_LENGTH = 43

export interface RequestedErasure {
  readonly organizationId: number
  readonly requestedAt: Date
  /** Shows how far the erasure is, even when the account of its holder is gone. */
  readonly receipt: string
}

/**
 * Deletes the actor's organization ({@link deleteOrganization}, with its errors) and has its personal data destroyed:
 * {@link eraseOrganization} does it after the commit, and resumes after a crash.
 */
export async function requestErasure(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'random'>,
  input: DeleteOrganizationInput,
  transact: Transact<RequestedErasure> = transactOn(parts.db),
): Promise<RequestedErasure> {
  const { organizationId } = input.actor
  const requested = {
    organizationId,
    requestedAt: parts.clock.now(),
    receipt: randomBase62(parts.random, RECEIPT_LENGTH),
  }
  const deleting = extendTransact<void, RequestedErasure>(transact, async (tx) => {
    await insertErasure(tx, { organizationId, at: requested.requestedAt }, receiptHash(requested.receipt))
    return requested
  })
  await deleteOrganization(parts, input, deleting)
  return requested
}

/**
 * Has the personal data of a deleted organization destroyed, for the operator. Errors: ORGANIZATION_NOT_FOUND; CONFLICT
 * if it is not deleted.
 */
export async function requestErasureOfDeleted(
  parts: Pick<IdentityParts, 'db' | 'clock'>,
  organizationId: number,
): Promise<void> {
  const organization = await parts.db
    .selectFrom('organizations')
    .select('deleted_at')
    .where('id', '=', organizationId)
    .executeTakeFirst()
  if (organization === undefined) {
    throw new Failure('ORGANIZATION_NOT_FOUND', { message: 'No organization has this id.' })
  }
  if (organization.deleted_at === null) {
    throw new Failure('CONFLICT', { message: 'The organization is not deleted. An owner must delete it first.' })
  }
  await insertErasure(parts.db, { organizationId, at: parts.clock.now() }, null)
}

/** Has organizations erased that were deleted longer ago than `retentionMs`; a batch. */
export async function requestExpiredErasures(
  parts: { readonly db: Database; readonly clock: Clock },
  retentionMs: number,
): Promise<void> {
  const at = parts.clock.now()
  const expired = await parts.db
    .selectFrom('organizations')
    .leftJoin('organization_erasures', 'organization_erasures.organization_id', 'organizations.id')
    .select('organizations.id')
    .where('organizations.deleted_at', '<=', addMilliseconds(at, -retentionMs))
    .where('organizations.erased_at', 'is', null)
    .where('organization_erasures.organization_id', 'is', null)
    .orderBy('organizations.id')
    .limit(ERASURE_BATCH)
    .execute()
  for (const { id } of expired) await insertErasure(parts.db, { organizationId: id, at }, null)
}

/** Nothing happens if it was requested before. */
async function insertErasure(
  db: Database | Tx,
  { organizationId, at }: ErasedOrganization,
  hash: Buffer | null,
): Promise<void> {
  await db
    .insertInto('organization_erasures')
    .values({ organization_id: organizationId, requested_at: at, receipt_hash: hash })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
