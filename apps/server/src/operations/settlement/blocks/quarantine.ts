import type { Chain } from '../../../chains/index.ts'
import { inTransaction, isInfrastructureFailure, runBatch, type Tx, unbatched } from '../../../database/index.ts'
import { addMilliseconds, QUARANTINE_RETRY_MS, SETTLEMENT_BATCH } from '../../../kernel/index.ts'
import { requestReconciliation } from '../../../wallets/index.ts'
import type { Parts } from '../../lifecycle/parts.ts'
import { DEFER_BLOCK, settleWallets, type WalletAtBlock } from './settle-wallet.ts'

interface WalletKey {
  readonly organizationId: number
  readonly walletId: number
}

/**
 * Settles wallets at a block, many in one transaction. If that fails, settles each alone, and quarantines with that
 * block each wallet that cannot be settled or whose statements time out, so that it does not block the other wallets of
 * its chain. Failures that would affect every wallet, such as an unavailable chain or database, are thrown: the
 * follower's next round retries from its cursor.
 */
export async function settleOrQuarantine(parts: Parts, chain: Chain, wallets: readonly WalletAtBlock[]): Promise<void> {
  for (let from = 0; from < wallets.length; from += SETTLEMENT_BATCH) {
    await runBatch(parts, wallets.slice(from, from + SETTLEMENT_BATCH), {
      job: `settle ${chain.network.blockchain}`,
      keyOf: ({ snapshot }) => String(snapshot.wallet.walletId),
      together: (batch) => settleWallets(parts, chain, batch),
      work: (one) => settleAlone(parts, chain, one),
    })
  }
}

async function settleAlone(parts: Parts, chain: Chain, one: WalletAtBlock): Promise<void> {
  try {
    await settleWallets(parts, chain, [one])
  } catch (error) {
    if (isInfrastructureFailure(error)) throw error
    const { block, snapshot, isPast } = one
    const { organizationId, walletId } = snapshot.wallet
    const { blockchain } = chain.network
    const context = { err: error, organizationId, walletId, blockchain, blockNumber: block.number }
    await inTransaction(parts.db, async (tx) => {
      // First, because it locks the wallet, as every settlement does.
      if (isPast) await requestReconciliation(tx, snapshot.wallet)
      await recordSettlementFailure(tx, { wallet: snapshot.wallet, blockchain, error, at: parts.clock.now() })
      await unbatched(tx).call(DEFER_BLOCK, { wallet: snapshot.wallet, block, isPast })
    })
    parts.log.error(context, 'failed to settle a wallet: it is quarantined, and its chain continues')
  }
}

export interface SettlementFailure {
  readonly wallet: WalletKey
  readonly blockchain: string
  readonly error: unknown
  readonly at: Date
}

/** Records a failed attempt, with a longer delay before each retry. Returns whether its cause is new. */
export async function recordSettlementFailure(
  tx: Tx,
  { wallet: { organizationId, walletId }, blockchain, error, at }: SettlementFailure,
): Promise<boolean> {
  const failure = error instanceof Error ? error.message : String(error)
  const previous = await tx
    .selectFrom('quarantined_wallets')
    .select(['attempts', 'error'])
    .where('organization_id', '=', organizationId)
    .where('wallet_id', '=', walletId)
    .executeTakeFirst()
  const attempts = (previous?.attempts ?? 0) + 1
  const next = addMilliseconds(at, Math.min(QUARANTINE_RETRY_MS.first * 2 ** (attempts - 1), QUARANTINE_RETRY_MS.max))
  await tx
    .insertInto('quarantined_wallets')
    .values({
      organization_id: organizationId,
      wallet_id: walletId,
      blockchain,
      since: at,
      attempts,
      next_attempt_at: next,
      error: failure,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'wallet_id'])
        .doUpdateSet({ attempts, next_attempt_at: next, error: failure }),
    )
    .execute()
  return previous?.error !== failure
}

/** Ends the quarantine of a chain that lost blocks: its wallets are reconciled, and deferred blocks are obsolete. */
export async function clearQuarantine(db: Parts['db'] | Tx, blockchain: string): Promise<void> {
  await db.deleteFrom('quarantined_wallets').where('blockchain', '=', blockchain).execute()
}
