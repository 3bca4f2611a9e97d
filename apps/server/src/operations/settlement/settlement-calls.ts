import { sql } from 'kysely'
import {
  findOpenAllocations,
  type PositionKey,
  type PositionUpdate,
  type SavePositionResult,
  savePositions,
} from '../../allocations/index.ts'
import type { BatchedCall, Tx } from '../../database/index.ts'
import { balancesOfWallets, type LedgerBreak, type LedgerEntry, post, recordBreaks } from '../../ledger/index.ts'
import { type EvaluationTarget, recordReconciliations, scheduleEvaluation } from '../../wallets/index.ts'
import { type AdvanceResult, advanceOperations, type TransitionRequest } from '../lifecycle/advance-operations.ts'
import { type Confirmation, confirmTransactions } from '../lifecycle/advance-transactions.ts'
import type { Operation } from '../lifecycle/operation.ts'
import { type OperationKey, readOperations, UNFINISHED_STATES } from '../lifecycle/read-operations.ts'
import { linkHashes, type NewHash } from '../transactions/transaction-hashes.ts'
import { type ActualApy, recordActualApys } from './record-actual-apy.ts'

/** The statements of settlement, each for one wallet or for many of a block (`database/queries/batched-calls.ts`). */

/** Calls without a result. */
const effect = <K>(run: (tx: Tx, keys: readonly K[]) => Promise<unknown>): BatchedCall<K, void> => ({
  async run(tx, keys) {
    await run(tx, keys)
    return keys.map(() => undefined)
  },
})

export const READ_OPERATION: BatchedCall<OperationKey, Operation> = { run: readOperations }
export const LINK_HASH = effect<NewHash>(linkHashes)
export const CONFIRM = effect<Confirmation>(confirmTransactions)
export const FIND_ALLOCATION: BatchedCall<PositionKey, Awaited<ReturnType<typeof findOpenAllocations>>[number]> = {
  run: findOpenAllocations,
}
export const SAVE_POSITION: BatchedCall<PositionUpdate, SavePositionResult> = { run: savePositions }
export const RECORD_APY = effect<ActualApy>(recordActualApys)
export const BALANCES: BatchedCall<
  { readonly organizationId: number; readonly walletId: number },
  Awaited<ReturnType<typeof balancesOfWallets>>[number]
> = { run: balancesOfWallets }
export const POST = effect<readonly LedgerEntry[]>((tx, entries) => post(tx, entries.flat()))
/** The breaks of one wallet; returns the tokens of those that were opened. */
export const RECORD_BREAKS: BatchedCall<readonly LedgerBreak[], readonly string[]> = {
  async run(tx, breaks) {
    const opened = await recordBreaks(tx, breaks.flat())
    return breaks.map(([first]) =>
      opened.filter(({ walletId }) => walletId === first?.walletId).map(({ tokenAddress }) => tokenAddress),
    )
  },
}
export const SCHEDULE_EVALUATION = effect<{ readonly changed: readonly EvaluationTarget[]; readonly at: Date }>(
  (tx, calls) =>
    scheduleEvaluation(
      tx,
      calls.flatMap(({ changed }) => changed),
      calls[0]!.at,
    ),
)
export const RECORD_RECONCILIATION = effect<Parameters<typeof recordReconciliations>[1][number]>(recordReconciliations)

/** Whether a position has an unfinished withdrawal. */
export const HAS_UNWIND: BatchedCall<PositionKey, boolean> = {
  async run(tx, keys) {
    const { rows } = await sql<{ wallet_id: number; strategy_id: number }>`
      select o.wallet_id, o.strategy_id from operations o
      where (o.organization_id, o.wallet_id, o.strategy_id) in (select * from unnest(
          ${keys.map(({ wallet }) => wallet.organizationId)}::bigint[],
          ${keys.map(({ wallet }) => wallet.walletId)}::bigint[],
          ${keys.map(({ strategyId }) => strategyId)}::bigint[]))
        and o.type = 'UNWIND' and o.state in (${sql.join(UNFINISHED_STATES)})
    `.execute(tx)
    const unwinding = new Set(rows.map((row) => `${row.wallet_id} ${row.strategy_id}`))
    return keys.map(({ wallet, strategyId }) => unwinding.has(`${wallet.walletId} ${strategyId}`))
  },
}

/** One statement for each organization. */
export const ADVANCE: BatchedCall<{ readonly request: TransitionRequest; readonly at: Date }, AdvanceResult> = {
  async run(tx, keys) {
    const results = new Map<number, AdvanceResult>()
    for (const group of Map.groupBy(keys, ({ request }) => request.operation.organizationId).values()) {
      const requests = group.map(({ request }) => request)
      const advanced = await advanceOperations(tx, requests, group[0]!.at)
      for (const [index, { operation }] of requests.entries()) {
        const isOwn = ({ operationId }: { readonly operationId?: number }) => operationId === operation.operationId
        results.set(operation.operationId, {
          operations: [advanced.operations[index]!],
          entries: advanced.entries.filter(isOwn),
          reservationsToSettle: advanced.reservationsToSettle.filter(isOwn),
        })
      }
    }
    return keys.map(({ request }) => results.get(request.operation.operationId)!)
  },
}
