import { sql } from 'kysely'
import type { Block, Chain } from '../../../chains/index.ts'
import type { Database } from '../../../database/index.ts'
import { type Strategy, strategiesOnChain, venueFor } from '../../../venues/index.ts'
import { type Wallet, walletFrom } from '../../../wallets/index.ts'
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
 * many there are. Only transfers of tokens that the service knows count: any contract can emit a log that names any
 * wallet.
 */
export async function findTouchedWallets(
  db: Database,
  chain: Chain,
  block: Block,
  findings: readonly Finding[],
): Promise<TouchedWallet[]> {
  const senders = findings.map(({ candidate }) => candidate.transaction.sender)
  if (block.transactions.length === 0) return []
  const strategies = await strategiesOnChain(db, chain.network.blockchain)
  const moved = movedTokens(chain, block, strategies)
  const exits = changedExits(block, strategies)
  const addresses = new Set([...moved.keys(), ...exits.keys(), ...senders])
  if (addresses.size === 0) return []
  const rows = await db
    .selectFrom('wallets')
    .selectAll()
    .where('blockchain', '=', chain.network.blockchain)
    .where('address', '=', sql<string>`any(${[...addresses]}::text[])`)
    .orderBy('id')
    .execute()
  const findingsByWallet = Map.groupBy(findings, ({ candidate }) => candidate.walletId)
  return rows.map((row) => {
    const wallet = walletFrom(row)
    if (row.reconciled_block === null && chain.readsPastBalances) return { wallet, strategies, isComplete: true }
    const tokens = moved.get(wallet.address) ?? new Set<string>()
    // Strategies of settling transactions are always read: a contract may emit no event.
    const settling = findingsByWallet.get(wallet.walletId) ?? []
    const settled = new Set(settling.map(({ candidate }) => candidate.strategyId))
    const exiting = exits.get(wallet.address)
    const own = strategies.filter(
      (strategy) => settled.has(strategy.id) || tokens.has(shareTokenOf(strategy)) || exiting?.has(strategy.id),
    )
    return { wallet, strategies: own, isComplete: false, ...(chain.readsPastBalances ? {} : { tokens }) }
  })
}

function shareTokenOf(strategy: Strategy): string {
  return venueFor(strategy.protocol).shareToken(strategy)
}

/** The strategies in which a block may have changed what an owner requested back, by owner. */
function changedExits(block: Block, strategies: readonly Strategy[]): Map<string, Set<number>> {
  const changed = new Map<string, Set<number>>()
  for (const strategy of strategies) {
    const { exits } = venueFor(strategy.protocol)
    if (!exits) continue
    for (const transaction of block.transactions) {
      for (const owner of exits.ownersIn(strategy, transaction))
        changed.set(owner, (changed.get(owner) ?? new Set()).add(strategy.id))
    }
  }
  return changed
}

/**
 * The tokens and shares that a block moved, by owner. Transfers of nothing do not count: anyone can send one in any
 * wallet's name, with a real token too.
 */
function movedTokens(chain: Chain, block: Block, strategies: readonly Strategy[]): Map<string, Set<string>> {
  const known = new Set([...chain.network.tokens.map(({ address }) => address), ...strategies.map(shareTokenOf)])
  const moved = new Map<string, Set<string>>()
  for (const transaction of block.transactions) {
    for (const { from, to, token, amount } of chain.transfers(transaction, known)) {
      if (amount === 0n) continue
      for (const owner of [from, to]) {
        if (owner !== undefined) moved.set(owner, (moved.get(owner) ?? new Set()).add(token))
      }
    }
  }
  return moved
}
