import type { Block, Chain } from '../../chains/index.ts'
import { inTransaction, isDatabaseUnavailable, type Tx } from '../../database/index.ts'
import { addMilliseconds, Failure } from '../../kernel/index.ts'
import type { Parts } from '../lifecycle/parts.ts'
import type { Finding } from './classify-transactions.ts'
import type { WalletSnapshot } from './read-wallets.ts'
import { settleWallet } from './settle-wallet.ts'

const FIRST_RETRY_MS = 30_000
const RETRY_MAX_MS = 3_600_000

interface WalletKey {
  readonly organizationId: number
  readonly walletId: number
}

/**
 * Settles a wallet at a block; one that cannot be settled is set aside with that block, so that its chain goes on for
 * everybody else. What every wallet would meet, a chain or a database that does not answer, is thrown as it is.
 */
export async function settleOrQuarantine(
  parts: Parts,
  chain: Chain,
  block: Block,
  reading: WalletSnapshot,
  findings: readonly Finding[],
  reasons: ReadonlyMap<string, string | undefined>,
): Promise<void> {
  try {
    await settleWallet(parts, chain, block, reading, findings, reasons)
  } catch (error) {
    if (isInfrastructureFailure(error)) throw error
    const { organizationId, walletId } = reading.wallet
    const { blockchain } = chain.network
    const told = { err: error, organizationId, walletId, blockchain, blockNumber: block.number }
    await inTransaction(parts.db, async (tx) => {
      await recordSettlementFailure(tx, reading.wallet, blockchain, error, parts.clock.now())
      await tx
        .insertInto('quarantined_blocks')
        .values({ organization_id: organizationId, wallet_id: walletId, block_number: block.number })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    })
    parts.log.error(told, 'a wallet cannot be settled and is set aside; its chain goes on')
  }
}

/** What says nothing about one wallet: the next round of the follower tries again, from where it stands. */
export function isInfrastructureFailure(error: unknown): boolean {
  return (error instanceof Failure && error.code === 'CHAIN_UNAVAILABLE') || isDatabaseUnavailable(error)
}

/** The first failure, or one more: the next attempt comes later each time. Returns how many there were. */
export async function recordSettlementFailure(
  tx: Tx,
  { organizationId, walletId }: WalletKey,
  blockchain: string,
  error: unknown,
  at: Date,
): Promise<number> {
  const failure = error instanceof Error ? error.message : String(error)
  const known = await tx
    .selectFrom('quarantined_wallets')
    .select('attempts')
    .where('organization_id', '=', organizationId)
    .where('wallet_id', '=', walletId)
    .executeTakeFirst()
  const attempts = (known?.attempts ?? 0) + 1
  const next = addMilliseconds(at, Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), RETRY_MAX_MS))
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
  return attempts
}

/** A chain that lost blocks is compared anew, wallet by wallet; which blocks were waiting means nothing any more. */
export async function clearQuarantine(db: Parts['db'] | Tx, blockchain: string): Promise<void> {
  await db.deleteFrom('quarantined_wallets').where('blockchain', '=', blockchain).execute()
}
