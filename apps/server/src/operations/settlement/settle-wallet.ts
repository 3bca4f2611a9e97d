import { sql } from 'kysely'
import type { Block, Chain } from '../../chains/index.ts'
import { inTransaction, type Tx } from '../../database/index.ts'
import { recordReconciliation } from '../../wallets/index.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { applyFinding } from './apply-finding.ts'
import type { Finding } from './classify-transactions.ts'
import type { WalletSnapshot } from './read-wallets.ts'
import { reconcileBalances } from './reconcile-balances.ts'
import { reconcileShares } from './reconcile-shares.ts'
import type { SettlementContext } from './settlement-context.ts'

export interface WalletAtBlock {
  readonly block: Block
  readonly snapshot: WalletSnapshot
  readonly findings: readonly Finding[]
  readonly reasons: ReadonlyMap<string, string | undefined>
  /** Settles a quarantined wallet too. */
  readonly force?: 'even if quarantined'
}

/**
 * Settles one wallet at one final block, in one database transaction: first all our transactions, then the remaining
 * difference to the chain (rule 7). `reasons`: revert reasons of our transactions, by hash. For a quarantined wallet
 * the block is only deferred, to be settled in order later.
 */
export async function settleWallet(
  parts: Parts,
  chain: Chain,
  { block, snapshot, findings, reasons, force }: WalletAtBlock,
): Promise<void> {
  const { wallet } = snapshot
  await inTransaction(parts.db, async (tx) => {
    const { reconciled_block, is_quarantined } = await tx
      .selectFrom('wallets')
      .select(['reconciled_block', isQuarantined.as('is_quarantined')])
      .where('organization_id', '=', wallet.organizationId)
      .where('id', '=', wallet.walletId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (is_quarantined && !force) return deferToQuarantine(tx, wallet, block)
    // A follower that lost its lock meanwhile would undo the effects of a later block.
    if (reconciled_block !== null && reconciled_block > block.number) return
    const settlement: SettlementContext = { tx, chain, block, snapshot, at: parts.clock.now() }
    for (const finding of findings) await applyFinding(settlement, finding, reasons.get(finding.included.hash))
    const needsAll = reconciled_block === null || (isPartial(settlement) && (await needsReconciliation(tx, wallet)))
    if (snapshot.isAtBlock) {
      await reconcileShares(settlement)
      await reconcileBalances(settlement)
    }
    // A requested reconciliation stays open until a complete snapshot was compared.
    const isReconciled = snapshot.isAtBlock && (snapshot.isComplete || !needsAll)
    await recordReconciliation(tx, wallet, isReconciled ? block.number : null)
  })
}

const isQuarantined = sql<boolean>`exists (select 1 from quarantined_wallets s
  where s.organization_id = wallets.organization_id and s.wallet_id = wallets.id)`

/** Whether only the moved tokens were read; on Solana a reverted transaction moves none. */
const isPartial = ({ chain, snapshot }: SettlementContext): boolean =>
  snapshot.balances.length < chain.network.tokens.length

/** A release next to an open break requests a reconciliation, which measures the missing amount again. */
async function needsReconciliation(tx: Tx, { organizationId, walletId }: WalletSnapshot['wallet']): Promise<boolean> {
  const { reconciled_block } = await tx
    .selectFrom('wallets')
    .select('reconciled_block')
    .where('organization_id', '=', organizationId)
    .where('id', '=', walletId)
    .executeTakeFirstOrThrow()
  return reconciled_block === null
}

async function deferToQuarantine(
  tx: Tx,
  { organizationId, walletId }: WalletSnapshot['wallet'],
  block: Block,
): Promise<void> {
  await tx
    .insertInto('quarantined_blocks')
    .values({ organization_id: organizationId, wallet_id: walletId, block_number: block.number })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
