import type { Tx } from '../../../database/index.ts'
import type { Scope } from '../../../identity/index.ts'
import { Failure } from '../../../kernel/index.ts'
import type { Operation } from '../states/operation.ts'
import { readOperation } from './read-operations.ts'

/** Locks an operation's wallet, then reads the operation. Error: OPERATION_NOT_FOUND. */
export async function lockOperation(tx: Tx, scope: Scope, operationId: number): Promise<Operation> {
  const locked = await tx
    .selectFrom('wallets')
    .select('id')
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', (from) =>
      from
        .selectFrom('operations')
        .select('wallet_id')
        .where('operations.organization_id', '=', scope.organizationId)
        .where('operations.id', '=', operationId),
    )
    .forUpdate()
    .executeTakeFirst()
  if (!locked) throw new Failure('OPERATION_NOT_FOUND')
  return readOperation(tx, scope, operationId)
}
