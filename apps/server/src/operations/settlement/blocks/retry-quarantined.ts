import type { Block, Chain } from '../../../chains/index.ts'
import { type Database, holdsLease, inTransaction, isInfrastructureFailure, type Tx } from '../../../database/index.ts'
import {
  addMilliseconds,
  Failure,
  QUARANTINE_RETRY_BLOCKS,
  QUARANTINE_RETRY_MS,
  QUARANTINE_RETRY_WALLETS,
  secondsBetween,
} from '../../../kernel/index.ts'
import { strategiesOnChain } from '../../../venues/index.ts'
import { requestReconciliation, type Wallet, walletFrom } from '../../../wallets/index.ts'
import type { Parts } from '../../lifecycle/parts.ts'
import { classifyTransactions } from '../discovery/classify-transactions.ts'
import { findCandidates } from '../discovery/find-candidates.ts'
import { readWalletSnapshots } from '../discovery/read-wallets.ts'
import { findTouchedWallets } from '../discovery/touched-wallets.ts'
import { recordSettlementFailure } from './quarantine.ts'
import { findingsForWallet, readRevertReasons } from './settle-block.ts'
import { walletsAtPastBlock } from './settle-past-block.ts'
import { settleWallets, type WalletAtBlock } from './settle-wallet.ts'

/**
 * Retries the quarantined wallets that are due: settles each block that they missed, in order, as it would have been
 * settled in time (rule 7), then requests a reconciliation with the current block. Only the follower of the chain calls
 * this, so meanwhile nothing but past blocks is settled or deferred, by requests.
 *
 * A call settles a bounded number of blocks, because it runs in the follower's round. A wallet that has more continues
 * in a later call, after the other wallets that are due. Error: CHAIN_UNAVAILABLE, even for a block that a node lacks.
 */
export async function retryQuarantinedWallets(parts: Parts, chain: Chain): Promise<void> {
  const now = parts.clock.now()
  const due = await parts.db
    .selectFrom('quarantined_wallets')
    .innerJoin('wallets', (join) =>
      join
        .onRef('wallets.organization_id', '=', 'quarantined_wallets.organization_id')
        .onRef('wallets.id', '=', 'quarantined_wallets.wallet_id'),
    )
    .selectAll('wallets')
    .where('quarantined_wallets.blockchain', '=', chain.network.blockchain)
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .orderBy('wallets.id')
    .limit(QUARANTINE_RETRY_WALLETS)
    .execute()
  let remaining = QUARANTINE_RETRY_BLOCKS
  for (const wallet of due.map(walletFrom)) {
    if (remaining <= 0) return
    try {
      remaining -= await settleDeferredBlocks(parts, chain, wallet, remaining)
    } catch (error) {
      if (isInfrastructureFailure(error)) {
        // Perhaps only this wallet's reads fail: the next call begins with another one.
        await postponeRetry(parts.db, wallet, addMilliseconds(parts.clock.now(), QUARANTINE_RETRY_MS.first))
        throw error
      }
      const { blockchain } = chain.network
      const isNew = await inTransaction(parts.db, (tx) =>
        recordSettlementFailure(tx, { wallet, blockchain, error, at: parts.clock.now() }),
      )
      const { organizationId, walletId } = wallet
      if (isNew)
        parts.log.error(
          { err: error, organizationId, walletId, blockchain },
          'a quarantined wallet fails for another cause',
        )
    }
  }
}

async function postponeRetry(db: Database | Tx, { organizationId, walletId }: Wallet, until: Date): Promise<void> {
  await db
    .updateTable('quarantined_wallets')
    .set({ next_attempt_at: until })
    .where('organization_id', '=', organizationId)
    .where('wallet_id', '=', walletId)
    .where(holdsLease(db))
    .execute()
}

/**
 * Settles at most `max` deferred blocks of a wallet, and returns how many. After the last one it leaves quarantine, unless
 * a request has deferred a past block meanwhile.
 */
async function settleDeferredBlocks(parts: Parts, chain: Chain, wallet: Wallet, max: number): Promise<number> {
  const { organizationId, walletId } = wallet
  const deferred = await parts.db
    .selectFrom('quarantined_blocks')
    .select(['block_number', 'is_past'])
    .where('organization_id', '=', organizationId)
    .where('wallet_id', '=', walletId)
    .orderBy('block_number')
    .limit(max + 1)
    .execute()
  for (const { block_number, is_past } of deferred.slice(0, max)) {
    const block = await chain.block(block_number)
    // It was final, so this node lags behind, or has forgotten it; another one may have it.
    if (block?.number !== block_number)
      throw new Failure('CHAIN_UNAVAILABLE', { cause: new Error(`block ${block_number} is not available`) })
    const read = is_past ? walletsAtPastBlock : walletAtBlock
    const found = await read(parts, chain, block, wallet)
    if (found.length > 0) await settleWallets(parts, chain, found, 'even if quarantined')
    await parts.db
      .deleteFrom('quarantined_blocks')
      .where('organization_id', '=', organizationId)
      .where('wallet_id', '=', walletId)
      .where('block_number', '=', block_number)
      .where(holdsLease(parts.db))
      .execute()
  }
  if (deferred.length > max) {
    await postponeRetry(parts.db, wallet, parts.clock.now())
    return max
  }
  const ended = await inTransaction(parts.db, async (tx) => {
    // First, because it locks the wallet, as a deferral does: a block deferred after the check would be lost.
    await requestReconciliation(tx, wallet)
    const left = await tx
      .deleteFrom('quarantined_wallets')
      .where('organization_id', '=', organizationId)
      .where('wallet_id', '=', walletId)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('quarantined_blocks as b')
              .select('b.block_number')
              .whereRef('b.organization_id', '=', 'quarantined_wallets.organization_id')
              .whereRef('b.wallet_id', '=', 'quarantined_wallets.wallet_id'),
          ),
        ),
      )
      .returning(['attempts as failures', 'since'])
      .executeTakeFirst()
    if (!left) await postponeRetry(tx, wallet, parts.clock.now())
    return left
  })
  if (ended) {
    const { failures, since } = ended
    const seconds = secondsBetween(since, parts.clock.now())
    parts.log.info({ organizationId, walletId, failures, seconds }, 'a wallet is settled and leaves quarantine')
  }
  return deferred.length
}

/** A quarantined wallet at a block that is settled in its turn. */
async function walletAtBlock({ db }: Parts, chain: Chain, block: Block, wallet: Wallet): Promise<WalletAtBlock[]> {
  const { blockchain } = chain.network
  const findings = classifyTransactions(block.transactions, await findCandidates(db, blockchain, block))
  const touched = (await findTouchedWallets(db, chain, block, findings)).find(
    (other) => other.wallet.organizationId === wallet.organizationId && other.wallet.walletId === wallet.walletId,
  )
  const complete = { wallet, strategies: await strategiesOnChain(db, blockchain), isComplete: true }
  const [snapshot] = await readWalletSnapshots(chain, [touched ?? complete], block.number)
  const own = findingsForWallet(findings, snapshot!)
  const reasons = await readRevertReasons(chain, own)
  return [{ block, snapshot: snapshot!, findings: own, reasons }]
}
