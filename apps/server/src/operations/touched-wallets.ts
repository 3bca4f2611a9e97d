import type { Block, Chain, ChainLog } from '../chains/index.ts'
import type { Database } from '../database/index.ts'
import { type Strategy, strategiesOnChain, venueFor } from '../venues/index.ts'
import { type Wallet, walletFrom } from '../wallets/index.ts'
import type { Finding } from './classify.ts'

/** A wallet that a block may have changed, and the strategies whose shares to read for it. */
export interface Touched {
  readonly wallet: Wallet
  readonly strategies: readonly Strategy[]
}

/** keccak256 of `Transfer(address,address,uint256)`: tokens and shares alike announce changes with it. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** How many new wallets are compared in one batch. */
const BATCH = 100

/**
 * Wallets whose tokens or shares moved in a block, told by the logs that came with it: no balance is read for the
 * others, however many there are.
 */
export async function touchedWallets(
  db: Database,
  chain: Chain,
  block: Block,
  findings: readonly Finding[],
): Promise<Touched[]> {
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
  return rows.map(walletFrom).map((wallet) => {
    const tokens = moved.get(wallet.address) ?? new Set()
    return { wallet, strategies: strategies.filter((strategy) => tokens.has(shareTokenOf(strategy))) }
  })
}

/** Wallets that were never compared with the chain, or asked to be again: all their tokens and strategies are read. */
export async function uncomparedWallets(db: Database, chain: Chain): Promise<Touched[]> {
  const rows = await db
    .selectFrom('wallets')
    .selectAll()
    .where('blockchain', '=', chain.network.blockchain)
    .where('compared_block', 'is', null)
    .orderBy('id')
    .limit(BATCH)
    .execute()
  if (rows.length === 0) return []
  const strategies = await strategiesOnChain(db, chain.network.blockchain)
  return rows.map(walletFrom).map((wallet) => ({ wallet, strategies }))
}

export function shareTokenOf(strategy: Strategy): string {
  return venueFor(strategy.protocol).shareToken(strategy)
}

/** By address of sender or receiver: the contracts whose Transfer events name it. */
function movedTokens(chain: Chain, block: Block): Map<string, Set<string>> {
  const moved = new Map<string, Set<string>>()
  for (const log of block.transactions.flatMap(({ logs }) => logs)) {
    for (const address of parties(chain, log)) {
      const tokens = moved.get(address) ?? new Set()
      moved.set(address, tokens.add(log.address))
    }
  }
  return moved
}

function parties(chain: Chain, { topics }: ChainLog): string[] {
  if (topics[0] !== TRANSFER || topics.length < 3) return []
  return [topics[1]!, topics[2]!].flatMap((topic) => chain.normalizeAddress(`0x${topic.slice(26)}`) ?? [])
}
