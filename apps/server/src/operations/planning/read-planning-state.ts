import { sql } from 'kysely'
import type { SenderState } from '../../chains/index.ts'
import { preparedQuery, runPrepared, type Tx } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import { pendingOperationUse } from '../lifecycle/reads/operation-use.ts'
import {
  type OperationWithTransactionsRow,
  operationFromJoinedRow,
  selectOperations,
  UNFINISHED_STATES,
} from '../lifecycle/reads/read-operations.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { afterPendingSql, type NonceParameter, nextNonce, nonceParameters, storeCount } from './next-nonce.ts'

/** Ids for a plan's rows, allocated with the wallet's row locked: the next plan for this wallet waits here. */
export interface AllocatedIds {
  readonly operationId: number
  readonly transactionIds: readonly number[]
  /** Of the whole organization, as a hint for its quota: counted before the lock, with the limit that overrides others. */
  readonly pending: { readonly used: number; readonly override: number | null }
}

/** Unfinished operations do not depend on the time. */
const UNUSED_TIME = new Date(0)

/** Takes the wallet's lock. Settling, ending and planning operations all take it first. Error: WALLET_NOT_FOUND. */
export async function lockWalletAndAllocateIds(tx: Tx, wallet: Wallet, transactions: number): Promise<AllocatedIds> {
  const { organizationId } = wallet
  const statement = sql<{ operation_id: number; transaction_ids: number[]; used: number; override: number | null }>`
    select nextval('operations_id_seq') as operation_id,
      (${pendingOperationUse(organizationId, UNUSED_TIME)})::bigint as used,
      (select (quotas ->> 'pendingOperations')::bigint from organizations where id = ${organizationId}) as override,
      array(select nextval('transactions_id_seq') from generate_series(1, ${transactions}::int)) as transaction_ids
    from wallets where organization_id = ${wallet.organizationId} and id = ${wallet.walletId}
    for update
  `
  const [row] = await runPrepared(tx, 'lock wallet', statement)
  if (!row) throw new Failure('WALLET_NOT_FOUND')
  const { operation_id: operationId, transaction_ids: transactionIds, used, override } = row
  return { operationId, transactionIds, pending: { used, override } }
}

export interface PlanningState {
  readonly unfinished: readonly Operation[]
  /** The ledger's `available` balance, in base units. */
  readonly available: bigint
  /** Reservations that are not released, by operation. */
  readonly reserved: ReadonlyMap<number, { amount: bigint; covered: bigint }>
  /** The plan's first nonce (rule 3); `null` where there are none. */
  readonly nextNonce: number | null
}

type PlanningStateParameter = 'organizationId' | 'walletId' | 'tokenAddress' | NonceParameter

const planningStateQuery = preparedQuery('planning state', (db, place: (name: PlanningStateParameter) => never) => {
  const unfinished = selectOperations(db)
    .where('operations.organization_id', '=', place('organizationId'))
    .where('operations.wallet_id', '=', place('walletId'))
    .where('operations.state', 'in', UNFINISHED_STATES)
  const state = sql<{
    available: bigint | null
    reserved: ReservationRow[]
    stored_count: number | null
    pending_nonce: number | null
  }>`(
    select
      (select available from ledger_balances where organization_id = ${place('organizationId')}
        and wallet_id = ${place('walletId')} and token_address = ${place('tokenAddress')}) as available,
      (select coalesce(jsonb_agg(jsonb_build_object('operation_id', operation_id, 'amount', amount::text,
          'covered', covered::text)), '[]') from reservations
        where organization_id = ${place('organizationId')} and wallet_id = ${place('walletId')}
        and token_address = ${place('tokenAddress')} and released_at is null) as reserved,
      (select count from counted) as stored_count,
      ${afterPendingSql(place)} as pending_nonce
  )`
  return db
    .with('counted', (counting) => storeCount(counting, place))
    .selectFrom(state.as('state'))
    .leftJoin(unfinished.as('unfinished'), (join) => join.onTrue())
    .selectAll()
})

/**
 * Reads what a plan relies on, in one statement under the wallet's lock. Where there are nonces it also locks the
 * sender's until the plan commits: these belong to chain and address, across organizations.
 */
export async function readPlanningState(
  tx: Tx,
  wallet: Wallet,
  tokenAddress: string,
  senderState: SenderState,
): Promise<PlanningState> {
  const { organizationId, walletId, blockchain, address } = wallet
  const { nonces } = senderState
  const rows = await planningStateQuery(tx, {
    organizationId,
    walletId,
    tokenAddress,
    blockchain,
    address,
    ...nonceParameters(nonces),
  })
  const [first] = rows
  return {
    unfinished: rows.flatMap((row) =>
      row.id === null ? [] : [operationFromJoinedRow(row as OperationWithTransactionsRow)],
    ),
    available: first?.available ?? 0n,
    reserved: new Map((first?.reserved ?? []).map((row) => [row.operation_id, reservedAmounts(row)])),
    nextNonce: nextNonce(nonces, {
      count: first?.stored_count ?? null,
      afterPending: first?.pending_nonce ?? null,
    }),
  }
}

interface ReservationRow {
  operation_id: number
  amount: string
  covered: string
}

function reservedAmounts(row: ReservationRow): { amount: bigint; covered: bigint } {
  return { amount: BigInt(row.amount), covered: BigInt(row.covered) }
}
