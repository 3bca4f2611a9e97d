import type { Block, Chain, ChainLog, IncludedTransaction } from '../../chains/index.ts'
import { type Database, preparedQuery } from '../../database/index.ts'
import { type Strategy, strategiesOnChain, venueFor } from '../../venues/index.ts'
import { type Wallet, walletFrom } from '../../wallets/index.ts'
import type { Finding } from './classify-transactions.ts'

/** A wallet that a block may have changed, and the strategies whose shares to read for it. */
export interface TouchedWallet {
  readonly wallet: Wallet
  readonly strategies: readonly Strategy[]
  /** The tokens whose balances to read; absent: all of the chain. */
  readonly tokens?: ReadonlySet<string>
  /** All tokens and strategies of the chain: a wallet that was never compared, or asks for it, is compared by no less. */
  readonly isComplete: boolean
}

/** keccak256 of `Transfer(address,address,uint256)`: tokens and shares alike announce changes with it. */
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** How many new wallets are compared in one batch. */
const RECONCILE_BATCH = 100

/**
 * Wallets whose tokens or shares moved in a block, told by the logs that came with it: no balance is read for the
 * others, however many there are.
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
    // What settles is read in any case: a contract may take a transaction without a word.
    const settling = findings.filter(({ candidate }) => candidate.walletId === wallet.walletId)
    const settled = new Set(settling.map(({ candidate }) => candidate.strategyId))
    const own = strategies.filter((strategy) => settled.has(strategy.id) || tokens.has(shareTokenOf(strategy)))
    // Solana's blocks tell the balances of what they touched; anything else would have to be read out of the past.
    return { wallet, strategies: own, isComplete: false, ...(isSvm ? { tokens } : {}) }
  })
}

/** By name, because every round of every follower asks for them and most find none. */
const unreconciledOnChain = preparedQuery('uncompared wallets', (db, place: (name: 'blockchain') => never) =>
  db
    .selectFrom('wallets')
    .selectAll()
    .where('blockchain', '=', place('blockchain'))
    .where('reconciled_block', 'is', null)
    // One that is set aside is compared when it has caught up.
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

/** Wallets that were never compared with the chain, or asked to be again: all their tokens and strategies are read. */
export async function findUnreconciledWallets(db: Database, chain: Chain): Promise<TouchedWallet[]> {
  const rows = await unreconciledOnChain(db, { blockchain: chain.network.blockchain })
  if (rows.length === 0) return []
  const strategies = await strategiesOnChain(db, chain.network.blockchain)
  return rows.map((row) => ({ wallet: walletFrom(row), strategies, isComplete: true }))
}

function shareTokenOf(strategy: Strategy): string {
  return venueFor(strategy.protocol).shareToken(strategy)
}

/** By owner: the tokens, shares among them, of which a block moved some to or from it. */
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
