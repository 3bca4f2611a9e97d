import type { Database } from '../database/index.ts'
import type { Sight } from '../identity/index.ts'
import { Failure } from '../kernel/index.ts'
import { walletsWithin } from '../wallets/index.ts'
import { expireOperation, isOverdue } from './expire.ts'
import type { Operation } from './operation.ts'
import type { Parts } from './parts.ts'
import { listOperations, type OperationFilter, readOperation, readOperationOfTransaction } from './read-operations.ts'

type ReadParts = Pick<Parts, 'db' | 'clock'>

/** One operation, true at this moment: an overdue one is ended first. Error: OPERATION_NOT_FOUND. */
export async function getOperation(parts: ReadParts, sight: Sight, operationId: number): Promise<Operation> {
  const operation = await readOperation(parts.db, sight, operationId)
  if (!isOverdue(operation, parts.clock.now())) return operation
  await expireOperation(parts, operation)
  return readOperation(parts.db, sight, operationId)
}

/** The operation of one transaction. Error: TRANSACTION_NOT_FOUND. */
export async function getOperationOfTransaction(
  parts: ReadParts,
  sight: Sight,
  transactionId: number,
): Promise<Operation> {
  const operation = await readOperationOfTransaction(parts.db, sight, transactionId)
  return isOverdue(operation, parts.clock.now()) ? getOperation(parts, sight, operation.operationId) : operation
}

/**
 * A page of operations, newest first, each true at this moment. A wallet out of sight is told as one that nobody knows
 * (decisions 1). Error: WALLET_NOT_FOUND.
 */
export async function getOperations(
  parts: ReadParts,
  sight: Sight,
  filter: OperationFilter,
  page: { limit: number; offset: number },
): Promise<{ operations: Operation[]; total: number }> {
  const read = await listOperations(parts.db, sight, filter, page)
  if (read.total === 0 && filter.walletId !== undefined) await requireWallet(parts.db, sight, filter.walletId)
  const overdue = read.operations.filter((operation) => isOverdue(operation, parts.clock.now()))
  if (overdue.length === 0) return read
  for (const operation of overdue) await expireOperation(parts, operation)
  return listOperations(parts.db, sight, filter, page)
}

async function requireWallet(db: Database, sight: Sight, walletId: number): Promise<void> {
  const found = await walletsWithin(db, sight, { walletId }).select('wallets.id').executeTakeFirst()
  if (!found) throw new Failure('WALLET_NOT_FOUND')
}
