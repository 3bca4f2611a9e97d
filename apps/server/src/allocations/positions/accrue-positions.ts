import { sql } from 'kysely'
import { type Database, inTransaction, runBatch, type Tx } from '../../database/index.ts'
import { ACCRUE_BATCH, type Clock, type Log } from '../../kernel/index.ts'
import { accrueAllocations, type PriceReading } from './accrue-allocations.ts'
import { openAllocationFrom } from './allocation.ts'

/** How far positions were posted: by strategy, then by wallet. */
export interface AccrualPlace {
  readonly strategyId: number
  readonly walletId: number
}

interface AccrualOptions {
  /** Whether to write the snapshot of the reading's day (UTC, by the chain's clock). */
  readonly snapshot: boolean
  /** Positions posted after this are left for the next run. */
  readonly postedBefore: Date
  /** Where an earlier run ended. */
  readonly after?: AccrualPlace | undefined
  /** How many positions to post at most; default: all. */
  readonly limit?: number
  /** Ends the run between two pages. */
  readonly signal?: AbortSignal
}

interface AccrualRun {
  /** How many positions there were. */
  readonly positions: number
  /** Where to continue; `undefined` after the last position. */
  readonly next: AccrualPlace | undefined
}

/**
 * Posts the yield of the open positions of these strategies since their last posting. Repeating it for the same block
 * does nothing. Five statements for 200 positions, six with snapshots.
 *
 * A position that cannot be posted is logged and left out; the others, and the chain, continue.
 */
export async function accruePositions(
  parts: { readonly db: Database; readonly clock: Clock; readonly log: Log },
  reading: PriceReading,
  { after, limit = Number.POSITIVE_INFINITY, signal, ...options }: AccrualOptions,
): Promise<AccrualRun> {
  const strategies = reading.prices.map(({ strategy }) => strategy).toSorted((a, b) => a.id - b.id)
  let positions = 0
  for (const { id: strategyId, key } of strategies) {
    if (after && strategyId < after.strategyId) continue
    let walletId = after?.strategyId === strategyId ? after.walletId : 0
    for (let isLast = false; !isLast; ) {
      const size = Math.min(ACCRUE_BATCH, limit - positions)
      if (size <= 0 || signal?.aborted) return { positions, next: { strategyId, walletId } }
      const page = await walletsToAccrue(parts.db, { strategyId, after: walletId, size, ...options })
      const post = (wallets: readonly number[]) =>
        inTransaction(parts.db, async (tx) => {
          const allocations = await lockAllocations(tx, strategyId, wallets)
          await accrueAllocations(tx, allocations, { reading, snapshot: options.snapshot, at: parts.clock.now() })
        })
      await runBatch(parts, page, {
        job: `accrue ${key}`,
        keyOf: String,
        together: post,
        work: (wallet) => post([wallet]),
      })
      positions += page.length
      isLast = page.length < size
      walletId = page.at(-1) ?? walletId
    }
  }
  return { positions, next: undefined }
}

interface AccrualPage {
  readonly strategyId: number
  readonly after: number
  readonly size: number
  readonly postedBefore: Date
}

async function walletsToAccrue(
  db: Database,
  { strategyId, after, size, postedBefore }: AccrualPage,
): Promise<number[]> {
  const rows = await db
    .selectFrom('allocations')
    .select('wallet_id')
    .where('strategy_id', '=', strategyId)
    .where('status', '<>', 'CLOSED')
    .where('wallet_id', '>', after)
    .where('posted_at', '<=', postedBefore)
    .orderBy('wallet_id')
    .limit(size)
    .execute()
  return rows.map(({ wallet_id }) => wallet_id)
}

/** The open positions of these wallets, which are locked in their order, like every lock of the settlement. */
async function lockAllocations(tx: Tx, strategyId: number, ids: readonly number[]) {
  const wallets = await tx
    .selectFrom('wallets')
    .select(['organization_id', 'id'])
    // The holdings of a quarantined wallet are uncertain: its yield is posted once it has caught up.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('quarantined_wallets')
            .select('quarantined_wallets.wallet_id')
            .whereRef('quarantined_wallets.organization_id', '=', 'wallets.organization_id')
            .whereRef('quarantined_wallets.wallet_id', '=', 'wallets.id'),
        ),
      ),
    )
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (wallets.length === 0) return []
  const rows = await tx
    .selectFrom('allocations')
    .selectAll()
    .where('strategy_id', '=', strategyId)
    .where('status', '<>', 'CLOSED')
    .where('wallet_id', '=', sql<number>`any(${wallets.map(({ id }) => id)}::bigint[])`)
    .execute()
  return rows.map(openAllocationFrom)
}
