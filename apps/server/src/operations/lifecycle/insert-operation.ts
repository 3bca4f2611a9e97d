import { sql } from 'kysely'
import { callToJson } from '../../chains/index.ts'
import { insertEventsSql, runPrepared, type Tx } from '../../database/index.ts'
import type { Operation } from './operation.ts'
import { operationEventData } from './operation-event-data.ts'
import type { Reservation } from './reservation.ts'

/**
 * Writes an operation with its transactions, its reservation and its events, in one statement. A client's transactions
 * are watched from here on: their bytes are about to be handed out (rule 1 and 2).
 */
export async function insertOperation(
  tx: Tx,
  operation: Operation,
  held: Reservation | undefined,
  emits: readonly string[],
): Promise<void> {
  const { organizationId, operationId, createdAt: at } = operation
  const transactions = operation.transactions.map((transaction) => ({
    id: transaction.transactionId,
    position: transaction.position,
    kind: transaction.kind,
    blockchain: transaction.blockchain,
    sender: transaction.sender,
    description: transaction.description,
    call: callToJson(transaction.call),
    nonce: transaction.nonce,
    unsigned_bytes: transaction.unsignedBytes || null,
    can_still_land: transaction.canStillLand,
    blockhash: transaction.blockhash,
    last_valid_block_height: transaction.lastValidBlockHeight,
    valid_until: transaction.validUntil?.toISOString() ?? null,
  }))
  const data = operationEventData(operation, operation.state, undefined)
  const statement = sql`
    with operation as (
      insert into operations (organization_id, id, wallet_id, strategy_id, type, executor, state, amount,
        cancelled_operations, expires_at, op_wallet_id, origin, reasons, planned_value, move_total, move_remaining,
        catalogue_fingerprint, required_approvals, approval_rule, created_at, updated_at)
      values (${organizationId}, ${operationId}, ${operation.walletId}, ${operation.strategyId}, ${operation.type},
        ${operation.executor}, ${operation.state}, ${operation.amount}, ${operation.cancelledOperations}::bigint[],
        ${operation.expiresAt}, ${operation.opWalletId}, ${operation.origin},
        ${operation.reasons && JSON.stringify(operation.reasons)}::jsonb, ${operation.plannedValue},
        ${operation.part?.total ?? null}, ${operation.part?.remaining ?? null},
        ${operation.part?.catalogueFingerprint ?? null}, ${operation.requiredApprovals},
        ${operation.approvalRule}, ${at}, ${at})
    ), reservation as (
      insert into reservations (organization_id, operation_id, wallet_id, token_address, amount, covered, created_at)
      select ${organizationId}, ${operationId}, ${operation.walletId}, ${held?.tokenAddress ?? null},
        ${held?.amount ?? null}::numeric, ${held?.covered ?? null}::numeric, ${at}
      where ${held !== undefined}
    ), emitted as (
      ${insertEventsSql(sql`
        select ${organizationId}::bigint, event, 'operation', ${operationId}::bigint, ${JSON.stringify(data)}::jsonb,
          ${at}::timestamptz
        from unnest(${emits}::text[]) with ordinality as emitted(event, turn) order by turn`)}
    )
    insert into transactions (organization_id, id, operation_id, position, kind, state, blockchain, sender, description,
      call, nonce, unsigned_bytes, blockhash, last_valid_block_height, valid_until, can_still_land)
    select ${organizationId}, t.id, ${operationId}, t.position, t.kind, 'unsigned', t.blockchain, t.sender,
      t.description, t.call::jsonb, t.nonce, t.unsigned_bytes, t.blockhash, t.last_valid_block_height, t.valid_until,
      t.can_still_land
    from jsonb_to_recordset(${JSON.stringify(transactions)}::jsonb) as t(
      id bigint, position smallint, kind text, blockchain text, sender text, description text, call text, nonce bigint,
      unsigned_bytes text, blockhash text, last_valid_block_height bigint, valid_until timestamptz, can_still_land boolean)
  `
  await runPrepared(tx, 'insert operation', statement)
}
