import type { Scope } from '../../../identity/index.ts'
import { requireWallet } from '../../../wallets/index.ts'
import type { Parts } from '../parts.ts'
import {
  listOperations,
  type OperationFilter,
  readOperation,
  readOperationOfTransaction,
} from '../reads/read-operations.ts'
import type { Operation } from '../states/operation.ts'
import { expireOperation, expireOverdueOf, isOverdue } from './expire-operations.ts'

type ReadParts = Pick<Parts, 'db' | 'clock' | 'clockAgrees'>

/** Reads an operation, and expires it first if it is overdue. Error: OPERATION_NOT_FOUND. */
export async function getOperation(parts: ReadParts, scope: Scope, operationId: number): Promise<Operation> {
  const operation = await readOperation(parts.db, scope, operationId)
  if (!isOverdue(operation, parts.clock.now())) return operation
  await expireOperation(parts, operation)
  return readOperation(parts.db, scope, operationId)
}

/** Reads the operation of a transaction, and expires it first if it is overdue. Error: TRANSACTION_NOT_FOUND. */
export async function getOperationOfTransaction(
  parts: ReadParts,
  scope: Scope,
  transactionId: number,
): Promise<Operation> {
  const operation = await readOperationOfTransaction(parts.db, scope, transactionId)
  return isOverdue(operation, parts.clock.now()) ? getOperation(parts, scope, operation.operationId) : operation
}

/**
 * Reads a page of operations, newest first, and expires overdue ones first. A wallet outside the scope is reported like
 * one that does not exist (contract 1). Error: WALLET_NOT_FOUND.
 */
export async function getOperations(
  parts: ReadParts,
  scope: Scope,
  filter: OperationFilter,
  page: { limit: number; offset: number },
): Promise<{ operations: Operation[]; total: number }> {
  // What is overdue is on no page of operations that failed before it expires.
  if (filter.states?.includes('FAILED')) await expireOverdueOf(parts, scope.organizationId)
  const read = await listOperations(parts.db, scope, filter, page)
  if (read.total === 0 && filter.walletId !== undefined) await requireWallet(parts.db, scope, filter.walletId)
  const overdue = read.operations.filter((operation) => isOverdue(operation, parts.clock.now()))
  if (overdue.length === 0) return read
  for (const operation of overdue) await expireOperation(parts, operation)
  return listOperations(parts.db, scope, filter, page)
}
