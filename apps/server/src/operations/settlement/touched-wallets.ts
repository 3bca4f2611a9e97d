import type { Block, Chain, ChainLog, IncludedTransaction } from '../../chains/index.ts'
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

/** keccak256 of `Transfer(address,address,uint256)`, which both tokens and shares emit. */
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/**
 * Wallets whose tokens or shares moved in a block, found by its logs: no balance is read for other wallets, however
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
    const isSvm = chain.network.family === 'svm'
    if (row.reconciled_block === null && !isSvm) return { wallet, strategies, isComplete: true }
    const tokens = moved.get(wallet.address) ?? new Set<string>()
    // Strategies of settling transactions are always read: a contract may emit no event.
    const settling = findings.filter(({ candidate }) => candidate.walletId === wallet.walletId)
    const settled = new Set(settling.map(({ candidate }) => candidate.strategyId))
    const own = strategies.filter((strategy) => settled.has(strategy.id) || tokens.has(shareTokenOf(strategy)))
    // Solana blocks contain the balances of touched accounts; nodes cannot return other past balances.
    return { wallet, strategies: own, isComplete: false, ...(isSvm ? { tokens } : {}) }
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
  for (const { owner, token } of block.transactions.flatMap((transaction) => transfersOf(chain, transaction))) {
    const tokens = moved.get(owner) ?? new Set()
    moved.set(owner, tokens.add(token))
  }
  return moved
}

function transfersOf(chain: Chain, transaction: IncludedTransaction): { owner: string; token: string }[] {
  if (transaction.family === 'svm') return transaction.tokens.filter(({ before, after }) => before !== after)
  return transaction.logs.flatMap((log) => transferParties(chain, log).map((owner) => ({ owner, token: log.address })))
}

function transferParties(chain: Chain, { topics }: ChainLog): string[] {
  if (topics[0] !== TRANSFER_TOPIC || topics.length < 3) return []
  return [topics[1]!, topics[2]!].flatMap((topic) => chain.normalizeAddress(`0x${topic.slice(26)}`) ?? [])
}
