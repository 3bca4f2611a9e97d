import { readWalletExits, type WalletExit } from '../../allocations/index.ts'
import { type StoppedStrategy, stoppedStrategies } from '../../breakers/index.ts'
import type { Chain } from '../../chains/index.ts'
import { Failure } from '../../kernel/index.ts'
import { isAllOf, readPositions, type SharesQuery, venueFor } from '../../venues/index.ts'
import type { HeldSums } from '../limits/held-sums.ts'
import { type CapHeadroom, type Headrooms, readCapHeadroom } from '../limits/read-cap-usage.ts'
import type { RebalanceParts } from '../parts.ts'
import type { StrategyPosition } from '../planner/payable-positions.ts'
import { readExitsOnChains } from '../state/read-exits-on-chains.ts'
import { type Market, marketKey, readMarket } from '../state/read-market.ts'
import type { WalletState } from '../state/read-wallet-states.ts'
import { type HeldPosition, readHoldings } from './planner-input.ts'

/** Which wallets' positions are read from the chain: those below their buffer, or all. */
export type PositionsRead = 'short' | 'all'

/** What the database does not know about a page of operational wallets: balances, markets, positions, caps. */
export interface RebalanceSnapshot {
  /** Base units in the chain's latest block; `undefined` when the chain is unavailable. */
  balanceOf(facts: WalletState): bigint | undefined
  marketOf(facts: WalletState): Market | undefined
  positionsOf(facts: WalletState): readonly StrategyPosition[]
  exitsOf(facts: WalletState): readonly WalletExit[]
  headroomOf(facts: WalletState): Headrooms
  /** What the headroom was computed from; `undefined` without caps and limits. */
  sumsOf(facts: WalletState): HeldSums | undefined
  /** The strategies whose circuit breakers stop deposits of the organization. */
  stoppedFor(facts: WalletState): ReadonlyMap<number, StoppedStrategy>
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
  const movable = page.filter(({ activeOperation }) => activeOperation?.yieldsToRefill !== false)
  // Before the balances: a claim that is settled meanwhile must not be missing in both.
  const settledExits = await readWalletExits(
    parts.db,
    page.map(({ opWallet }) => opWallet),
  )
  const balances = new Map<number, bigint>()
  const markets = new Map<string, Market>()
  const headrooms = new Map<number, CapHeadroom>()
  const stopped = new Map<number, ReadonlyMap<number, StoppedStrategy>>()
  // Also of those with an operation: it may wait for days, and what leaves or arrives meanwhile decides about it.
  await Promise.all(
    [...Map.groupBy(page, ({ blockchain }) => blockchain)].map(async ([blockchain, own]) => {
      const chain = parts.chains.get(blockchain)
      if (chain) await readChain(parts, chain, { own, balances, markets })
    }),
  )
  for (const { opWallet } of movable) {
    const { organizationId } = opWallet
    if (headrooms.has(organizationId)) continue
    const stops = await stoppedStrategies(parts.db, organizationId)
    stopped.set(organizationId, stops)
    headrooms.set(organizationId, await readCapHeadroom(parts, organizationId, stops))
  }
  const holdings = await readHoldings(
    parts.db,
    page.map(({ opWallet }) => opWallet),
  )
  const isShort = ({ opWallet, reserved }: WalletState) =>
    (balances.get(opWallet.opWalletId) ?? opWallet.buffer) - reserved < opWallet.buffer
  const isLeaving = ({ opWallet: { opWalletId, organizationId } }: WalletState) =>
    holdings.get(opWalletId)?.some(({ strategyId }) => stopped.get(organizationId)?.get(strategyId)?.withdraw)
  const isAwaiting = ({ awaited }: WalletState) => awaited.length > 0
  const paying = movable.filter((facts) => {
    if (positionsRead === 'all' || isShort(facts)) return true
    return facts.activeOperation === undefined && (isLeaving(facts) || isAwaiting(facts))
  })
  const payable = await readPayable(parts, paying, { holdings, markets })
  // After the positions: shares that became a request meanwhile must not be missing in both.
  const latest = await readExitsOnChains(parts, paying, { holdings, markets, settledExits })
  const positionsOf = ({ opWallet: { opWalletId } }: WalletState) => {
    const own = payable.get(opWalletId) ?? holdings.get(opWalletId) ?? []
    const unread = latest.get(opWalletId)?.unread
    return unread?.size ? own.map((one) => ({ ...one, isExitUnread: unread.has(one.strategyId) })) : own
  }
  return {
    balanceOf: ({ opWallet }) => balances.get(opWallet.opWalletId),
    marketOf: (facts) => markets.get(marketKey(facts)),
    positionsOf,
    exitsOf: ({ opWallet: { opWalletId } }) => latest.get(opWalletId)?.exits ?? settledExits.get(opWalletId) ?? [],
    headroomOf: ({ opWallet }) => headrooms.get(opWallet.organizationId)?.headrooms ?? new Map(),
    sumsOf: ({ opWallet }) => headrooms.get(opWallet.organizationId)?.sums,
    stoppedFor: ({ opWallet }) => stopped.get(opWallet.organizationId) ?? new Map(),
  }
}

interface RecordedReadings {
  readonly holdings: ReadonlyMap<number, readonly HeldPosition[]>
  readonly markets: ReadonlyMap<string, Market>
}

/** The wallets' positions with the value and the withdrawable amount that the chain reports now. One call per chain. */
async function readPayable(
  parts: RebalanceParts,
  wallets: readonly WalletState[],
  readings: RecordedReadings,
): Promise<ReadonlyMap<number, readonly StrategyPosition[]>> {
  const perChain = [...Map.groupBy(wallets, ({ blockchain }) => blockchain)].map(async ([blockchain, own]) => {
    const chain = parts.chains.get(blockchain)
    return chain ? readPayableOnChain(parts, chain, own, readings) : []
  })
  const positions = (await Promise.all(perChain)).flat()
  const byWallet = Map.groupBy(positions, ({ opWalletId }) => opWalletId)
  return new Map([...byWallet].map(([id, own]) => [id, own.map(({ position }) => position)]))
}

interface WalletPosition {
  readonly opWalletId: number
  readonly position: StrategyPosition
}

/** What positions that the chain does not report can pay is unknown. Empty ones and those of unknown strategies are not read. */
async function readPayableOnChain(
  parts: RebalanceParts,
  chain: Chain,
  wallets: readonly WalletState[],
  { holdings, markets }: RecordedReadings,
): Promise<WalletPosition[]> {
  const positions = wallets.flatMap((wallet) => {
    const strategies = markets.get(marketKey(wallet))?.strategies ?? []
    return (holdings.get(wallet.opWallet.opWalletId) ?? []).map((position) => ({
      opWalletId: wallet.opWallet.opWalletId,
      position,
      owner: wallet.address,
      strategy: position.value > 0n ? strategies.find(({ id }) => id === position.strategyId) : undefined,
    }))
  })
  const read = positions.flatMap(({ strategy, owner }) => (strategy ? [{ strategy, owner }] : []))
  const readings = (await readOrNothing(parts, chain, read)).values()
  return positions.map(({ opWalletId, position, strategy }) => {
    if (!strategy) return { opWalletId, position }
    const reading = readings.next().value
    if (!reading) return { opWalletId, position: { ...position, isUnread: true } }
    const value = venueFor(strategy.protocol).valueOf(reading.shares, reading.price)
    const withdrawable = reading.isUnproven ? foundOf(position, value) : reading.withdrawable
    return { opWalletId, position: { ...position, value, withdrawable, isUnsettled: value === 0n } }
  })
}

/** What was found by simulation some time ago; `null`: nothing, and the simulation of the withdrawal itself decides. */
const foundOf = ({ lastWithdrawable: found }: HeldPosition, value: bigint): bigint | null =>
  found !== null && isAllOf(value, found) ? value : found

/** In the order of the queries; nothing at all if the chain is unavailable. */
async function readOrNothing(parts: RebalanceParts, chain: Chain, queries: readonly SharesQuery[]) {
  if (queries.length === 0) return []
  try {
    return await readPositions(chain, queries, parts.log)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return []
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
