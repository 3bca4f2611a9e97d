import type { Chain } from '../chains/index.ts'
import { Failure } from '../kernel/index.ts'
import { readPositions as readPositionsOnChain, type SharesQuery, venueFor } from '../venues/index.ts'
import type { RebalanceParts } from './parts.ts'
import type { StrategyPosition } from './planner.ts'
import { readPositions } from './planner-input.ts'
import { readCapHeadroom } from './read-cap-usage.ts'
import { type Market, readMarket } from './read-market.ts'
import type { WalletState } from './read-wallet-states.ts'

/** Which wallets' positions are read from the chain: those below their buffer, or all. */
export type PositionsRead = 'short' | 'all'

/** What the database does not know about a page of operational wallets: balances, markets, positions, caps. */
export interface RebalanceSnapshot {
  /** Base units in the chain's latest block; `undefined` when the chain is unavailable. */
  balanceOf(facts: WalletState): bigint | undefined
  marketOf(facts: WalletState): Market | undefined
  positionsOf(facts: WalletState): readonly StrategyPosition[]
  headroomOf(facts: WalletState): ReadonlyMap<number, bigint>
}

/**
 * Reads a snapshot with one batched balance call per chain, one read per market and one statement for all positions.
 * What positions could pay now is read from the chain, in one more batched call, where a buffer needs it.
 */
export async function readSnapshot(
  parts: RebalanceParts,
  page: readonly WalletState[],
  positionsRead: PositionsRead = 'short',
): Promise<RebalanceSnapshot> {
  const idle = page.filter(({ activeOperation }) => activeOperation === undefined)
  const balances = new Map<number, bigint>()
  const markets = new Map<string, Market>()
  const rooms = new Map<number, ReadonlyMap<number, bigint>>()
  await Promise.all(
    [...Map.groupBy(idle, ({ blockchain }) => blockchain)].map(async ([blockchain, own]) => {
      const chain = parts.chains.get(blockchain)
      if (chain) await readChain(parts, chain, { own, balances, markets })
    }),
  )
  for (const { opWallet } of idle) {
    const { organizationId } = opWallet
    if (!rooms.has(organizationId)) rooms.set(organizationId, await readCapHeadroom(parts.db, organizationId))
  }
  const holdings =
    idle.length === 0
      ? new Map<number, StrategyPosition[]>()
      : new Map(
          await readPositions(
            parts.db,
            idle.map(({ opWallet }) => opWallet),
          ),
        )
  const isShort = ({ opWallet, reserved }: WalletState) =>
    (balances.get(opWallet.opWalletId) ?? opWallet.buffer) - reserved < opWallet.buffer
  const paying = idle.filter((facts) => positionsRead === 'all' || isShort(facts))
  await readWithdrawable(parts, paying, { holdings, markets })
  return {
    balanceOf: ({ opWallet }) => balances.get(opWallet.opWalletId),
    marketOf: (facts) => markets.get(marketKey(facts)),
    positionsOf: ({ opWallet }) => holdings.get(opWallet.opWalletId) ?? [],
    headroomOf: ({ opWallet }) => rooms.get(opWallet.organizationId) ?? new Map(),
  }
}

interface PositionReadings {
  readonly holdings: Map<number, StrategyPosition[]>
  readonly markets: ReadonlyMap<string, Market>
}

/** Replaces value and withdrawable amount of each position by what the chain says now; unreadable ones can pay nothing. */
async function readWithdrawable(
  parts: RebalanceParts,
  wallets: readonly WalletState[],
  { holdings, markets }: PositionReadings,
): Promise<void> {
  await Promise.all(
    [...Map.groupBy(wallets, ({ blockchain }) => blockchain)].map(async ([blockchain, own]) => {
      const chain = parts.chains.get(blockchain)
      if (!chain) return
      const queries = own.flatMap((facts) => {
        const strategies = markets.get(marketKey(facts))?.strategies ?? []
        return (holdings.get(facts.opWallet.opWalletId) ?? []).flatMap((holding) => {
          const strategy = strategies.find(({ id }) => id === holding.strategyId)
          return strategy && holding.value > 0n ? [{ facts, holding, strategy, owner: facts.address }] : []
        })
      })
      if (queries.length === 0) return
      const readings = await readFromChain(parts, chain, queries)
      for (const [index, { facts, holding, strategy }] of queries.entries()) {
        const reading = readings?.[index]
        const fresh = reading
          ? {
              ...holding,
              value: venueFor(strategy.protocol).valueOf(reading.shares, reading.price),
              withdrawable: reading.withdrawable,
            }
          : { ...holding, withdrawable: 0n }
        const { opWalletId } = facts.opWallet
        holdings.set(
          opWalletId,
          holdings.get(opWalletId)!.map((one) => (one.strategyId === strategy.id ? fresh : one)),
        )
      }
    }),
  )
}

async function readFromChain(parts: RebalanceParts, chain: Chain, queries: readonly SharesQuery[]) {
  try {
    return await readPositionsOnChain(chain, queries, parts.log)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return undefined
  }
}

interface ChainReadings {
  readonly own: readonly WalletState[]
  readonly balances: Map<number, bigint>
  readonly markets: Map<string, Market>
}

async function readChain(
  parts: RebalanceParts,
  chain: Chain,
  { own, balances, markets }: ChainReadings,
): Promise<void> {
  try {
    const asked = own.map(({ address, opWallet }) => ({ owner: address, token: opWallet.tokenAddress }))
    const read = await chain.balances(asked, undefined, own[0]?.settledBlock ?? undefined)
    for (const [index, { opWallet }] of own.entries()) balances.set(opWallet.opWalletId, read[index]!)
    for (const facts of own) {
      const place = marketKey(facts)
      if (markets.has(place)) continue
      markets.set(
        place,
        await readMarket(parts.db, chain, {
          tokenAddress: facts.opWallet.tokenAddress,
          sender: facts.address,
          settings: parts.rebalancing,
        }),
      )
    }
  } catch (error) {
    // Never guess what could not be read: its wallets are evaluated again later (rule 12).
    if (!(error instanceof Failure)) throw error
  }
}

const marketKey = ({ blockchain, opWallet }: WalletState): string => `${blockchain} ${opWallet.tokenAddress}`
