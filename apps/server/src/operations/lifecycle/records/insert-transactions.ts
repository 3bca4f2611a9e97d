import { type RawBuilder, sql } from 'kysely'
import { type Call, callToJson } from '../../../chains/index.ts'
import type { TransactionKind } from '../../../database/index.ts'
import type { TransactionBytes } from '../states/transaction.ts'
import { TRANSACTION_STATES } from '../states/transaction-states.ts'

/** A transaction to insert. */
export interface NewTransaction {
  /** `null`: the next value of the sequence. */
  readonly transactionId: number | null
  readonly position: number
  readonly kind: TransactionKind
  readonly blockchain: string
  readonly sender: string
  readonly description: string
  readonly call: Call
  /** With bytes the transaction is `issued`: they leave with the plan (rules 1 and 2). Without, it is `planned`. */
  readonly bytes: Omit<TransactionBytes, 'call'> | null
}

/** The statement that inserts an operation's transactions. Its text is constant, so it can be prepared. */
export function insertTransactions(
  organizationId: number,
  operationId: number,
  transactions: readonly NewTransaction[],
): RawBuilder<unknown> {
  const rows = transactions.map(({ transactionId, call, bytes, ...transaction }) => {
    const { status, canStillLand } = TRANSACTION_STATES[bytes ? 'issued' : 'planned']
    return {
      id: transactionId,
      position: transaction.position,
      kind: transaction.kind,
      state: status,
      can_still_land: canStillLand,
      blockchain: transaction.blockchain,
      sender: transaction.sender,
      description: transaction.description,
      call: callToJson(call),
      nonce: bytes?.nonce ?? null,
      unsigned_bytes: bytes?.unsignedBytes ?? null,
      blockhash: bytes?.blockhash ?? null,
      last_valid_block_height: bytes?.lastValidBlockHeight ?? null,
      valid_until: bytes?.validUntil?.toISOString() ?? null,
    }
  })
  return sql`
    insert into transactions (organization_id, id, operation_id, position, kind, state, can_still_land, blockchain,
      sender, description, call, nonce, unsigned_bytes, blockhash, last_valid_block_height, valid_until)
    select ${organizationId}, coalesce(t.id, nextval(pg_get_serial_sequence('transactions', 'id'))), ${operationId},
      t.position, t.kind, t.state, t.can_still_land, t.blockchain, t.sender, t.description, t.call::jsonb, t.nonce,
      t.unsigned_bytes, t.blockhash, t.last_valid_block_height, t.valid_until
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t(
      id bigint, position smallint, kind text, state text, can_still_land boolean, blockchain text, sender text,
      description text, call text, nonce bigint, unsigned_bytes text, blockhash text, last_valid_block_height bigint,
      valid_until timestamptz)
  `
}
