import type { Block, Chain } from '../../chains/index.ts'
import { type Database, preparedQuery } from '../../database/index.ts'
import { RECONCILE_BATCH } from '../../kernel/index.ts'
import { type Strategy, strategiesOnChain, venueFor } from '../../venues/index.ts'
import { type Wallet, walletFrom } from '../../wallets/index.ts'
import type { Finding } from './classify-transactions.ts'

/** A wallet that a block may have changed, and the strategies whose shares to read for it. */
export interface TouchedWallet {
  readonly wallet: Wallet
  readonly strategies: readonly Strategy[]
  /** The tokens whose balances to read; if omitted, all tokens of the chain. */
  readonly tokens?: ReadonlySet<string>
  /** Whether all tokens and strategies of the chain are read, as new wallets and requested reconciliations require. */
  readonly isComplete: boolean
}

/**
 * Wallets whose tokens or shares moved in a block, found by its transfers: no balance is read for other wallets, however
 * many there are.
 */
export async function findTouchedWallets(
  db: Database,
  chain: Chain,
  block: Block,
  findings: readonly Finding[],
): Promise<TouchedWallet[]> {
  const moved = movedTokens(chain, block)
  const addresses = new Set(moved.keys())
  for (const { candidate } of findings) addresses.add(candidate.transaction.sender)
  if (addresses.size === 0) return []
  const rows = await db
    .selectFrom('wallets')
    .selectAll()
    .where('blockchain', '=', chain.network.blockchain)
    .where('address', 'in', [...addresses])
    .orderBy('id')
    .execute()
  if (rows.length === 0) return []
  const strategies = await strategiesOnChain(db, chain.network.blockchain)
  return rows.map((row) => {
    const wallet = walletFrom(row)
    if (row.reconciled_block === null && chain.readsPastBalances) return { wallet, strategies, isComplete: true }
    const tokens = moved.get(wallet.address) ?? new Set<string>()
    // Strategies of settling transactions are always read: a contract may emit no event.
    const settling = findings.filter(({ candidate }) => candidate.walletId === wallet.walletId)
    const settled = new Set(settling.map(({ candidate }) => candidate.strategyId))
    const own = strategies.filter((strategy) => settled.has(strategy.id) || tokens.has(shareTokenOf(strategy)))
    return { wallet, strategies: own, isComplete: false, ...(chain.readsPastBalances ? {} : { tokens }) }
  })
}

/** Prepared, because every round of every follower runs it and most find nothing. */
const unreconciledOnChain = preparedQuery('unreconciled wallets', (db, place: (name: 'blockchain') => never) =>
  db
    .selectFrom('wallets')
    .selectAll()
    .where('blockchain', '=', place('blockchain'))
    .where('reconciled_block', 'is', null)
    // A quarantined wallet is reconciled once it has caught up.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('quarantined_wallets')
            .select('wallet_id')
            .whereRef('quarantined_wallets.organization_id', '=', 'wallets.organization_id')
            .whereRef('quarantined_wallets.wallet_id', '=', 'wallets.id'),
        ),
      ),
    )
    .orderBy('id')
    .limit(RECONCILE_BATCH),
)

/** Wallets that are new or marked for reconciliation; all their tokens and strategies are read. */
export async function findUnreconciledWallets(db: Database, chain: Chain): Promise<TouchedWallet[]> {
  const rows = await unreconciledOnChain(db, { blockchain: chain.network.blockchain })
  if (rows.length === 0) return []
  const strategies = await strategiesOnChain(db, chain.network.blockchain)
  return rows.map((row) => ({ wallet: walletFrom(row), strategies, isComplete: true }))
}

function shareTokenOf(strategy: Strategy): string {
  return venueFor(strategy.protocol).shareToken(strategy)
}

/** The tokens and shares that a block moved, by owner. */
function movedTokens(chain: Chain, block: Block): Map<string, Set<string>> {
  const moved = new Map<string, Set<string>>()
  for (const { from, to, token } of block.transactions.flatMap((transaction) => chain.transfers(transaction))) {
    for (const owner of [from, to]) {
      if (owner !== undefined) moved.set(owner, (moved.get(owner) ?? new Set()).add(token))
    }
  }
  return moved
}
