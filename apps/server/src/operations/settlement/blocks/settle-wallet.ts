import { sql } from 'kysely'
import { POST_ENDED_DAYS } from '../../../allocations/index.ts'
import type { Block, Chain } from '../../../chains/index.ts'
import {
  batchedEffect,
  type CallBatcher,
  inTransaction,
  LeaseLostError,
  runBatched,
  type Tx,
} from '../../../database/index.ts'
import type { BreakChange } from '../../../ledger/index.ts'
import type { Parts } from '../../lifecycle/parts.ts'
import type { Finding } from '../discovery/classify-transactions.ts'
import type { WalletSnapshot } from '../discovery/read-wallets.ts'
import { applyFinding } from '../landings/apply-finding.ts'
import { settleExits } from '../landings/settle-exits.ts'
import { reconcileBalances } from '../reconciliation/reconcile-balances.ts'
import { reconcileShares } from '../reconciliation/reconcile-shares.ts'
import { IS_RECONCILIATION_REQUESTED, RECORD_RECONCILIATION } from '../shared/settlement-calls.ts'
import type { SettlementContext } from '../shared/settlement-context.ts'

export interface WalletAtBlock {
  readonly block: Block
  readonly snapshot: WalletSnapshot
  readonly findings: readonly Finding[]
  readonly reasons: ReadonlyMap<string, string | undefined>
  /**
   * The block was settled before, without these findings. Whether they are settled now, deferred or fail, the same
   * transaction requests a reconciliation of the wallet: a follower that reconciles it just before stops nothing.
   */
  readonly isPast?: boolean
  /**
   * The final block that the chain's cursor must still have; for blocks that are settled in their turn. After the
   * database went back in time, a follower remembers a later one: blocks between the two are not settled for anyone.
   */
  readonly cursorAt?: number
}

/**
 * Settles wallets at one final block, in one database transaction: of each first all our transactions, then the
 * remaining difference to the chain (rule 7). `reasons`: revert reasons of our transactions, by hash. For a quarantined
 * wallet the block is only deferred, to be settled in order later, unless `force`.
 *
 * The number of statements does not grow with the wallets where they need the same ones. If one of them fails, none is
 * settled. Error: LeaseLostError, if the chain's cursor is not `cursorAt`.
 */
export async function settleWallets(
  parts: Parts,
  chain: Chain,
  wallets: readonly WalletAtBlock[],
  force?: 'even if quarantined',
): Promise<void> {
  const changes = await inTransaction(parts.db, async (tx) => {
    const found: BreakAtBlock[] = []
    const locked = await lockWallets(tx, wallets)
    const at = parts.clock.now()
    const works = wallets.flatMap(({ block, snapshot, findings, reasons, isPast, cursorAt }) => {
      const { wallet } = snapshot
      const { is_quarantined, reconciled_block, final_number } = locked.get(wallet.walletId)!
      if (cursorAt !== undefined && cursorAt !== final_number)
        throw new LeaseLostError(`another process took over: follow ${chain.network.blockchain}`)
      if (is_quarantined && !force)
        return [
          async (batcher: CallBatcher) => {
            await batcher.call(DEFER_BLOCK, { wallet, block, isPast })
            if (isPast) await batcher.call(RECORD_RECONCILIATION, { wallet, blockNumber: null })
          },
        ]
      // A follower that lost its lock meanwhile would undo the effects of a later block.
      if (!isPast && reconciled_block !== null && reconciled_block > block.number) return []
      return [
        async (batcher: CallBatcher) => {
          const context = { batcher, chain, block, snapshot, at }
          const breaks = await settle(context, { findings, reasons, reconciledBlock: reconciled_block })
          // Never the whole wallet: its label and metadata may be personal data.
          const { blockchain, address } = wallet
          for (const one of breaks) found.push({ ...one, blockchain, address, block: block.number })
        },
      ]
    })
    await runBatched(tx, works)
    return found
  })
  for (const { change, ...where } of changes) {
    if (change === 'opened') parts.log.warn(where, 'ledger and chain differ: a break is open; GET /api/core/breaks')
    else parts.log.info(where, 'ledger and chain agree again: a break is closed')
  }
}

type BreakAtBlock = BreakChange & Pick<WalletSnapshot['wallet'], 'blockchain' | 'address'> & { readonly block: number }

interface LockedWallet {
  readonly id: number
  readonly reconciled_block: number | null
  readonly is_quarantined: boolean
  readonly final_number: number | null
}

/**
 * Locks the wallets, then their operational wallets, each in the order of their ids, like every lock of several, to
 * avoid deadlocks: later statements of the settlement make operational wallets due in any order. One statement.
 */
async function lockWallets(tx: Tx, wallets: readonly WalletAtBlock[]): Promise<Map<number, LockedWallet>> {
  const { rows } = await sql<LockedWallet>`
    with locked as materialized (
      select organization_id, id, reconciled_block, ${isQuarantined} as is_quarantined,
        (select final_number from chain_cursors c where c.blockchain = wallets.blockchain) as final_number
      from wallets
      where (organization_id, id) in (select * from unnest(
        ${wallets.map(({ snapshot }) => snapshot.wallet.organizationId)}::bigint[],
        ${wallets.map(({ snapshot }) => snapshot.wallet.walletId)}::bigint[]))
      order by id for update
    ), operational as materialized (
      select o.id from operational_wallets o
      where (o.organization_id, o.wallet_id) in (select organization_id, id from locked)
      order by o.id for update
    )
    select id, reconciled_block, is_quarantined, final_number from locked where (select count(*) from operational) >= 0
  `.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Settles one wallet; returns the breaks that it opened or closed. */
async function settle(
  settlement: SettlementContext,
  {
    findings,
    reasons,
    reconciledBlock,
  }: Pick<WalletAtBlock, 'findings' | 'reasons'> & { readonly reconciledBlock: number | null },
): Promise<readonly BreakChange[]> {
  const { batcher, block, snapshot, at } = settlement
  const { wallet } = snapshot
  await batcher.call(POST_ENDED_DAYS, { wallet, block, at })
  for (const finding of findings) await applyFinding(settlement, finding, reasons.get(finding.included.hash))
  const needsAll =
    reconciledBlock === null || (isPartial(settlement) && (await batcher.call(IS_RECONCILIATION_REQUESTED, wallet)))
  await settleExits(settlement, findings)
  if (snapshot.isAtBlock) await reconcileShares(settlement)
  const breaks = snapshot.isAtBlock ? await reconcileBalances(settlement) : []
  // A requested reconciliation stays open until a complete snapshot was compared.
  const isReconciled = snapshot.isAtBlock && (snapshot.isComplete || !needsAll)
  await batcher.call(RECORD_RECONCILIATION, { wallet, blockNumber: isReconciled ? block.number : null })
  return breaks
}

const isQuarantined = sql<boolean>`exists (select 1 from quarantined_wallets s
  where s.organization_id = wallets.organization_id and s.wallet_id = wallets.id)`

/** Whether only the moved tokens were read; on Solana a reverted transaction moves none. */
const isPartial = ({ chain, snapshot }: SettlementContext): boolean =>
  snapshot.balances.length < chain.network.tokens.length

interface DeferredBlock {
  readonly wallet: Pick<WalletSnapshot['wallet'], 'organizationId' | 'walletId'>
  readonly block: Block
  readonly isPast: boolean | undefined
}

/**
 * Defers a block for quarantined wallets. One that already waits to be settled in its turn stays so: that settles what is
 * found in it late, too.
 */
export const DEFER_BLOCK = batchedEffect<DeferredBlock>((tx, deferred) =>
  tx
    .insertInto('quarantined_blocks')
    .values(
      deferred.map(({ wallet: { organizationId, walletId }, block, isPast = false }) => ({
        organization_id: organizationId,
        wallet_id: walletId,
        block_number: block.number,
        is_past: isPast,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute(),
)
