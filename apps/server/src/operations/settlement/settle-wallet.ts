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

/** What every step of a settlement needs: the transaction it runs in, the block, and what was read at it. */
export interface SettlementContext {
  readonly tx: Tx
  readonly chain: Chain
  readonly block: Block
  readonly snapshot: WalletSnapshot
  readonly at: Date
}

/**
 * Settles one wallet at one final block, in one transaction: first every transaction of ours, then what the chain shows
 * beyond them (rule 7). `reasons`: why transactions of ours reverted, by hash. A wallet that is set aside only
 * gets the block in its list, so that it is settled in order.
 */
export async function settleWallet(
  parts: Parts,
  chain: Chain,
  block: Block,
  snapshot: WalletSnapshot,
  findings: readonly Finding[],
  reasons: ReadonlyMap<string, string | undefined>,
  insists?: 'although set aside',
): Promise<void> {
  const { wallet } = snapshot
  await inTransaction(parts.db, async (tx) => {
    const { reconciled_block, set_aside } = await tx
      .selectFrom('wallets')
      .select(['reconciled_block', isQuarantined.as('set_aside')])
      .where('organization_id', '=', wallet.organizationId)
      .where('id', '=', wallet.walletId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (set_aside && !insists) return deferToQuarantine(tx, wallet, block)
    // A follower that lost its turn meanwhile would undo what a later block already brought.
    if (reconciled_block !== null && reconciled_block > block.number) return
    const settlement: SettlementContext = { tx, chain, block, snapshot, at: parts.clock.now() }
    for (const finding of findings) await applyFinding(settlement, finding, reasons.get(finding.included.hash))
    const asks = reconciled_block === null || (isPartial(settlement) && (await needsReconciliation(tx, wallet)))
    if (snapshot.isAtBlock) {
      await reconcileShares(settlement)
      await reconcileBalances(settlement)
    }
    // A wallet that asks to be compared does so until all of it was.
    const isCompared = snapshot.isAtBlock && (snapshot.isComplete || !asks)
    await recordReconciliation(tx, wallet, isCompared ? block.number : null)
  })
}

const isQuarantined = sql<boolean>`exists (select 1 from quarantined_wallets s
  where s.organization_id = wallets.organization_id and s.wallet_id = wallets.id)`

/** Only what a block moved was read: on Solana one that reverted moves nothing. */
const isPartial = ({ chain, snapshot }: SettlementContext): boolean =>
  snapshot.balances.length < chain.network.tokens.length

/** What gave something back beside an open break has asked for it: the chain tells anew what is missing. */
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
