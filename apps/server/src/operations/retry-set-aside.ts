import type { Chain } from '../chains/index.ts'
import { inTransaction } from '../database/index.ts'
import { strategiesOnChain } from '../venues/index.ts'
import { type Wallet, walletFrom } from '../wallets/index.ts'
import { candidatesIn } from './candidates.ts'
import { classify } from './classify.ts'
import type { Parts } from './parts.ts'
import { readWallets } from './read-wallets.ts'
import { isEverybodys, noteFailure } from './set-aside.ts'
import { findingsOf, revertReasons } from './settle-block.ts'
import { settleWallet } from './settle-wallet.ts'
import { touchedWallets } from './touched-wallets.ts'

/**
 * Tries again to settle the wallets that were set aside and are due: at each block that they missed, in order, as it
 * would have been done in time (money-rules 7); then they are compared with the present one. Called by the follower of
 * the chain, so that nobody else settles meanwhile.
 */
export async function retrySetAside(parts: Parts, chain: Chain): Promise<void> {
  const due = await parts.db
    .selectFrom('wallets_set_aside')
    .innerJoin('wallets', (join) =>
      join
        .onRef('wallets.organization_id', '=', 'wallets_set_aside.organization_id')
        .onRef('wallets.id', '=', 'wallets_set_aside.wallet_id'),
    )
    .selectAll('wallets')
    .where('wallets_set_aside.blockchain', '=', chain.network.blockchain)
    .where('next_attempt_at', '<=', parts.clock.now())
    .execute()
  for (const wallet of due.map(walletFrom)) {
    try {
      await catchUp(parts, chain, wallet)
    } catch (error) {
      if (isEverybodys(error)) throw error
      const { blockchain } = chain.network
      await inTransaction(parts.db, (tx) => noteFailure(tx, wallet, blockchain, error, parts.clock.now()))
    }
  }
}

async function catchUp(parts: Parts, chain: Chain, wallet: Wallet): Promise<void> {
  const { organizationId, walletId } = wallet
  const missed = await parts.db
    .selectFrom('set_aside_blocks')
    .select('block_number')
    .where('organization_id', '=', organizationId)
    .where('wallet_id', '=', walletId)
    .orderBy('block_number')
    .execute()
  for (const { block_number } of missed) {
    await settleAt(parts, chain, wallet, block_number)
    await parts.db
      .deleteFrom('set_aside_blocks')
      .where('organization_id', '=', organizationId)
      .where('wallet_id', '=', walletId)
      .where('block_number', '=', block_number)
      .execute()
  }
  await inTransaction(parts.db, async (tx) => {
    await tx
      .updateTable('wallets')
      .set({ compared_block: null })
      .where('organization_id', '=', organizationId)
      .where('id', '=', walletId)
      .execute()
    await tx
      .deleteFrom('wallets_set_aside')
      .where('organization_id', '=', organizationId)
      .where('wallet_id', '=', walletId)
      .execute()
  })
  parts.log.info({ organizationId, walletId }, 'a wallet that was set aside is settled again')
}

async function settleAt(parts: Parts, chain: Chain, wallet: Wallet, number: number): Promise<void> {
  const block = await chain.block(number)
  if (block?.number !== number) throw new Error(`block ${number} is not to be had any more`)
  const { blockchain } = chain.network
  const findings = classify(block.transactions, await candidatesIn(parts.db, blockchain, block))
  const touched = (await touchedWallets(parts.db, chain, block, findings)).find(
    (one) => one.wallet.organizationId === wallet.organizationId && one.wallet.walletId === wallet.walletId,
  )
  const whole = { wallet, strategies: await strategiesOnChain(parts.db, blockchain), isWhole: true }
  const [reading] = await readWallets(chain, [touched ?? whole], number)
  const own = findingsOf(findings, reading!)
  await settleWallet(parts, chain, block, reading!, own, await revertReasons(chain, own), 'although set aside')
}
