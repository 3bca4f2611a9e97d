import { sql } from 'kysely'
import type { Tx } from '../../database/index.ts'
import type { Actor } from '../../identity/index.ts'
import { assert, Failure } from '../../kernel/index.ts'
import { AWAITED, type AwaitedEvent, OPENING_AWAITED_STATE } from './awaited-states.ts'
import {
  AWAITED_JSON,
  AWAITED_PROGRESS,
  type AwaitedRow,
  type AwaitedWithdrawal,
  awaitedFrom,
} from './awaited-withdrawal.ts'

export interface NewAwaited {
  readonly organizationId: number
  readonly opWalletId: number
  readonly strategyId: number
  /** Base units; `null`: the whole position. */
  readonly amount: bigint | null
  readonly requestedBy: Actor
}

/** Opens an awaited withdrawal. Error: CONFLICT while the position has one. */
export async function openAwaited(tx: Tx, awaited: NewAwaited, at: Date): Promise<AwaitedWithdrawal> {
  const { organizationId, opWalletId, strategyId, amount, requestedBy } = awaited
  const { type, id, heldBy } = requestedBy
  assert(id !== null, 'somebody requested the withdrawal')
  const row = await tx
    .insertInto('awaited_withdrawals')
    .values({
      organization_id: organizationId,
      op_wallet_id: opWalletId,
      strategy_id: strategyId,
      amount,
      state: OPENING_AWAITED_STATE,
      requested_by_type: type,
      requested_by_id: id,
      requester_user_id: heldBy ?? null,
      created_at: at,
    })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'op_wallet_id', 'strategy_id']).where('state', '=', 'open').doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  if (!row)
    throw new Failure('CONFLICT', {
      message: 'The position already awaits a withdrawal: cancel it, or wait until it is fetched.',
    })
  return {
    awaitedId: row.id,
    strategyId,
    amount,
    fetched: 0n,
    requestedBy,
    requestedAt: at,
    isRejected: false,
    failures: 0,
    lastEndedAt: undefined,
    refused: undefined,
  }
}

/**
 * An operation fetches a part of it, in the transaction that locked its wallet. Error: OPERATION_IN_PROGRESS if it ended
 * meanwhile, or an operation that lands late paid since it was read: the rest that was planned is more than is left.
 */
export async function addOperation(
  tx: Tx,
  { organizationId, operationId }: { readonly organizationId: number; readonly operationId: number },
  { awaitedId, fetched }: Pick<AwaitedWithdrawal, 'awaitedId' | 'fetched'>,
): Promise<void> {
  const open = await tx
    .selectFrom('awaited_withdrawals')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', awaitedId)
    .where('state', '=', 'open')
    .forUpdate()
    .executeTakeFirst()
  if (!open) throw new Failure('OPERATION_IN_PROGRESS', { message: 'The awaited withdrawal has ended.' })
  if ((await fetchedOf(tx, organizationId, awaitedId)) !== fetched)
    throw new Failure('OPERATION_IN_PROGRESS', {
      message: 'Part of the awaited withdrawal has arrived in the meantime. Read it again.',
    })
  await tx
    .insertInto('awaited_withdrawal_operations')
    .values({ organization_id: organizationId, operation_id: operationId, awaited_id: awaitedId })
    .execute()
}

async function fetchedOf(tx: Tx, organizationId: number, awaitedId: number): Promise<bigint> {
  const { rows } = await sql<{ found: AwaitedRow }>`
    select ${AWAITED_JSON} as found from awaited_withdrawals a ${AWAITED_PROGRESS}
    where a.organization_id = ${organizationId} and a.id = ${awaitedId}
  `.execute(tx)
  return awaitedFrom(rows[0]!.found).fetched
}

/** Ends it. Returns whether it was open. */
export async function advanceAwaited(
  tx: Tx,
  { organizationId, awaitedId }: { readonly organizationId: number; readonly awaitedId: number },
  event: AwaitedEvent,
  at: Date,
): Promise<boolean> {
  const { to } = AWAITED.find(OPENING_AWAITED_STATE, event)!
  const { numUpdatedRows } = await tx
    .updateTable('awaited_withdrawals')
    .set({ state: to, ended_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', '=', awaitedId)
    .where('state', 'in', AWAITED.statesBefore(event))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
