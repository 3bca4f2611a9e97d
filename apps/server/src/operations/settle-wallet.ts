import { sql } from 'kysely'
import type { Block, Chain } from '../chains/index.ts'
import { inTransaction, type Tx } from '../database/index.ts'
import { applyFinding } from './apply-finding.ts'
import type { Finding } from './classify.ts'
import { compareBalances } from './compare-balances.ts'
import { compareShares } from './compare-shares.ts'
import type { Parts } from './parts.ts'
import type { WalletReading } from './read-wallets.ts'

/** What every step of a settlement needs: the transaction it runs in, the block, and what was read at it. */
export interface Settlement {
  readonly tx: Tx
  readonly chain: Chain
  readonly block: Block
  readonly reading: WalletReading
  readonly at: Date
}

/**
 * Settles one wallet at one final block, in one transaction: first every transaction of ours, then what the chain shows
 * beyond them (money-rules 7). `reasons`: why transactions of ours reverted, by hash. A wallet that is set aside only
 * gets the block in its list, so that it is settled in order.
 */
export async function settleWallet(
  parts: Parts,
  chain: Chain,
  block: Block,
  reading: WalletReading,
  findings: readonly Finding[],
  reasons: ReadonlyMap<string, string | undefined>,
  insists?: 'although set aside',
): Promise<void> {
  const { wallet } = reading
  await inTransaction(parts.db, async (tx) => {
    const { compared_block, set_aside } = await tx
      .selectFrom('wallets')
      .select(['compared_block', isSetAside.as('set_aside')])
      .where('organization_id', '=', wallet.organizationId)
      .where('id', '=', wallet.walletId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (set_aside && !insists) return postpone(tx, wallet, block)
    // A follower that lost its turn meanwhile would undo what a later block already brought.
    if (compared_block !== null && compared_block > block.number) return
    const settlement: Settlement = { tx, chain, block, reading, at: parts.clock.now() }
    for (const finding of findings) await applyFinding(settlement, finding, reasons.get(finding.included.hash))
    const asks = compared_block === null || (isPartial(settlement) && (await asksToBeCompared(tx, wallet)))
    if (reading.isOfBlock) {
      await compareShares(settlement)
      await compareBalances(settlement)
    }
    // A wallet that asks to be compared does so until all of it was.
    const isCompared = reading.isOfBlock && (reading.isWhole || !asks)
    await tx
      .updateTable('wallets')
      .set({ compared_block: isCompared ? block.number : null })
      .where('organization_id', '=', wallet.organizationId)
      .where('id', '=', wallet.walletId)
      .execute()
  })
}

const isSetAside = sql<boolean>`exists (select 1 from wallets_set_aside s
  where s.organization_id = wallets.organization_id and s.wallet_id = wallets.id)`

/** Only what a block moved was read: on Solana one that reverted moves nothing. */
const isPartial = ({ chain, reading }: Settlement): boolean => reading.balances.length < chain.network.tokens.length

/** What gave something back beside an open break has asked for it: the chain tells anew what is missing. */
async function asksToBeCompared(tx: Tx, { organizationId, walletId }: WalletReading['wallet']): Promise<boolean> {
  const { compared_block } = await tx
    .selectFrom('wallets')
    .select('compared_block')
    .where('organization_id', '=', organizationId)
    .where('id', '=', walletId)
    .executeTakeFirstOrThrow()
  return compared_block === null
}

async function postpone(tx: Tx, { organizationId, walletId }: WalletReading['wallet'], block: Block): Promise<void> {
  await tx
    .insertInto('set_aside_blocks')
    .values({ organization_id: organizationId, wallet_id: walletId, block_number: block.number })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
