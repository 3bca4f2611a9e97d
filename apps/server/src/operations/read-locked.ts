import type { Tx } from '../database/index.ts'
import type { Sight } from '../identity/index.ts'
import { Failure } from '../kernel/index.ts'
import type { Operation } from './operation.ts'
import { readOperation } from './read-operations.ts'

/** Takes the lock of an operation's wallet, then reads the operation. Error: OPERATION_NOT_FOUND. */
export async function readLocked(tx: Tx, sight: Sight, operationId: number): Promise<Operation> {
  const locked = await tx
    .selectFrom('wallets')
    .select('id')
    .where('organization_id', '=', sight.organizationId)
    .where('id', '=', (from) =>
      from
        .selectFrom('operations')
        .select('wallet_id')
        .where('operations.organization_id', '=', sight.organizationId)
        .where('operations.id', '=', operationId),
    )
    .forUpdate()
    .executeTakeFirst()
  if (!locked) throw new Failure('OPERATION_NOT_FOUND')
  return readOperation(tx, sight, operationId)
}
