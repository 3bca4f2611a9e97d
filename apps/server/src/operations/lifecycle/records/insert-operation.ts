import { sql } from 'kysely'
import { insertEventsSql, runPrepared, type Tx } from '../../../database/index.ts'
import { type NewAuditEntry, queueAuditEntrySql } from '../../../identity/index.ts'
import type { Operation } from '../states/operation.ts'
import { isIssued } from '../states/transaction.ts'
import { insertTransactions } from './insert-transactions.ts'
import { operationEventData } from './operation-event-data.ts'
import { recordPlanned } from './record-steps.ts'
import type { Reservation } from './reservation.ts'

/**
 * Writes an operation with its transactions, its reservation, its events and its audit entry, in one statement. From here on a client's
 * transactions can land, because their bytes are about to be issued (rules 1 and 2).
 */
export async function insertOperation(
  tx: Tx,
  operation: Operation,
  reservation: Reservation | undefined,
  emits: readonly string[],
): Promise<void> {
  const { organizationId, operationId, createdAt: at } = operation
  const transactions = operation.transactions.map((transaction) => ({
    ...transaction,
    bytes: isIssued(transaction) ? transaction : null,
  }))
  const data = operationEventData(operation, operation.state, undefined)
  const statement = sql`
    with operation as (
      insert into operations (organization_id, id, wallet_id, strategy_id, type, executor, state, amount,
        cancelled_operations, expires_at, op_wallet_id, origin, reasons, planned_value, move_total, move_remaining,
        catalogue_fingerprint, purpose, requested_by_type, requested_by_id, requester_user_id, required_approvals,
        requester_may_approve, approval_rule, is_strategy_chosen, created_at, updated_at)
      values (${organizationId}, ${operationId}, ${operation.walletId}, ${operation.strategyId}, ${operation.type},
        ${operation.executor}, ${operation.state}, ${operation.amount}, ${operation.cancelledOperations}::bigint[],
        ${operation.expiresAt}, ${operation.opWalletId}, ${operation.origin},
        ${operation.reasons && JSON.stringify(operation.reasons)}::jsonb, ${operation.plannedValue},
        ${operation.part?.total ?? null}, ${operation.part?.remaining ?? null},
        ${operation.part?.catalogueFingerprint ?? null}, ${operation.part?.purpose ?? null}, ${operation.requestedBy?.type ?? null},
        ${operation.requestedBy?.id ?? null}, ${operation.requesterUserId}, ${operation.requiredApprovals},
        ${operation.requesterMayApprove}, ${operation.approvalRule}, ${operation.isStrategyChosen}, ${at}, ${at})
    ), reservation as (
      insert into reservations (organization_id, operation_id, wallet_id, token_address, amount, covered, created_at)
      select ${organizationId}, ${operationId}, ${operation.walletId}, ${reservation?.tokenAddress ?? null},
        ${reservation?.amount ?? null}::numeric, ${reservation?.covered ?? null}::numeric, ${at}
      where ${reservation !== undefined}
    ), emitted as (
      ${insertEventsSql(sql`
        select ${organizationId}::bigint, event, 'operation', ${operationId}::bigint, ${JSON.stringify(data)}::jsonb,
          ${at}::timestamptz
        from unnest(${emits}::text[]) with ordinality as emitted(event, turn) order by turn`)}
    ), audited as (
      ${queueAuditEntrySql(auditEntryOf(operation))}
    )
    ${insertTransactions(organizationId, operationId, transactions)}
  `
  await runPrepared(tx, 'insert operation', statement)
  recordPlanned(tx, operation)
}

/** Of a client's plan. Operations of core and of the rebalancer have none here. */
function auditEntryOf({ organizationId, operationId, requestedBy, createdAt }: Operation): NewAuditEntry | undefined {
  if (requestedBy?.request === undefined) return undefined
  const { type, id, request } = requestedBy
  return {
    organizationId,
    actor: { type, id },
    ...request,
    objectType: 'operation',
    objectId: operationId,
    at: createdAt,
  }
}
