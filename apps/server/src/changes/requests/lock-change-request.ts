import type { Database, Tx } from '../../database/index.ts'
import type { ChangeParts } from '../parts.ts'
import { type ChangeRequest, changeRequestFrom, changeRequestNotFound } from './change-request.ts'
import { requesterEndsAt } from './requester-ends-at.ts'

/** A change request by the organization that it belongs to. */
export interface ChangeRequestRef {
  readonly organizationId: number
  readonly changeRequestId: number
}

/** Reads a change request. Error: NOT_FOUND. */
export async function findChangeRequest(
  db: Database | Tx,
  { sealer }: Pick<ChangeParts, 'sealer'>,
  ref: ChangeRequestRef,
): Promise<ChangeRequest> {
  const row = await select(db, ref).executeTakeFirst()
  if (row === undefined) throw changeRequestNotFound()
  return changeRequestFrom(sealer, row)
}

/** Locks and reads a change request. Error: NOT_FOUND. */
export async function lockChangeRequest(
  tx: Tx,
  { sealer }: Pick<ChangeParts, 'sealer'>,
  ref: ChangeRequestRef,
): Promise<ChangeRequest> {
  const row = await select(tx, ref).forUpdate().executeTakeFirst()
  if (row === undefined) throw changeRequestNotFound()
  return changeRequestFrom(sealer, row)
}

function select(db: Database | Tx, { organizationId, changeRequestId }: ChangeRequestRef) {
  return db
    .selectFrom('change_requests as request')
    .selectAll('request')
    .select(requesterEndsAt().as('requester_ends_at'))
    .where('request.organization_id', '=', organizationId)
    .where('request.id', '=', changeRequestId)
}
