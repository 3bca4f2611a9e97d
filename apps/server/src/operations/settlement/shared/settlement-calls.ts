import { sql } from 'kysely'
import type { PositionKey } from '../../../allocations/index.ts'
import { type BatchedCall, batchedEffect } from '../../../database/index.ts'
import { type BreakChange, balancesOfWallets, type LedgerBreak, recordBreaks } from '../../../ledger/index.ts'
import { recordReconciliations, type Wallet } from '../../../wallets/index.ts'
import { UNFINISHED_STATES } from '../../lifecycle/reads/read-operations.ts'
import { type ActualApy, recordActualApys } from './record-actual-apy.ts'

/**
 * Statements of settlement, each for one wallet or for many of a block (`database/queries/batched-calls.ts`). Those of
 * other rooms are next to what they do.
 */

type WalletKey = Pick<Wallet, 'organizationId' | 'walletId'>

export const RECORD_APY = batchedEffect<ActualApy>(recordActualApys)
export const BALANCES: BatchedCall<WalletKey, Awaited<ReturnType<typeof balancesOfWallets>>[number]> = {
  run: balancesOfWallets,
}
/** The breaks of one wallet; returns those that were opened or closed. */
export const RECORD_BREAKS: BatchedCall<readonly LedgerBreak[], readonly BreakChange[]> = {
  async run(tx, breaks) {
    const changes = await recordBreaks(tx, breaks.flat())
    return breaks.map(([first]) => changes.filter(({ walletId }) => walletId === first?.walletId))
  },
}
export const RECORD_RECONCILIATION =
  batchedEffect<Parameters<typeof recordReconciliations>[1][number]>(recordReconciliations)

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

/** Whether a reconciliation of the whole wallet is requested: a release next to an open break requests one. */
export const IS_RECONCILIATION_REQUESTED: BatchedCall<WalletKey, boolean> = {
  async run(tx, wallets) {
    const { rows } = await sql<{ id: number }>`
      select id from wallets
      where (organization_id, id) in (select * from unnest(
          ${wallets.map(({ organizationId }) => organizationId)}::bigint[],
          ${wallets.map(({ walletId }) => walletId)}::bigint[]))
        and reconciled_block is null
    `.execute(tx)
    const requested = new Set(rows.map(({ id }) => id))
    return wallets.map(({ walletId }) => requested.has(walletId))
  },
}

/** A transaction, and since when stored bytes may be on their way to a node. */
interface Broadcast {
  readonly organizationId: number
  readonly transactionId: number
  readonly since: Date
}

/** Whether its bytes were stored recently and no node has acknowledged them yet. */
export const IS_BROADCAST_IN_PROGRESS: BatchedCall<Broadcast, boolean> = {
  async run(tx, keys) {
    const { rows } = await sql<{ transaction_id: number }>`
      select h.transaction_id from transaction_hashes h
      where (h.organization_id, h.transaction_id) in (select * from unnest(
          ${keys.map(({ organizationId }) => organizationId)}::bigint[],
          ${keys.map(({ transactionId }) => transactionId)}::bigint[]))
        and h.raw is not null and h.broadcast_at is null and h.created_at > ${keys[0]!.since}
    `.execute(tx)
    const found = new Set(rows.map((row) => row.transaction_id))
    return keys.map(({ transactionId }) => found.has(transactionId))
  },
}
