import type { Chain, ContractRead } from '../../chains/index.ts'
import { apyFromGrowth } from '../../kernel/index.ts'
import { erc20Abi } from '../evm/erc20.ts'
import { integer, requireEvmChain } from '../evm/reader.ts'
import type { BlockTime, Rates, RatesQuery, Strategy } from '../port.ts'
import { vaultAbi } from './abi.ts'
import { ANYONE, areLimitsUnreported, depositTermsCalls, depositTermsFrom } from './deposit-terms.ts'
import { type AnnouncedFees, feeCalls, feesFrom } from './fees.ts'
import { closedWhilePaused, readFluidStates } from './fluid-state.ts'
import { priceCall } from './price.ts'
import { queueCalls, queueFrom, readQueueLiquidity } from './queue-liquidity.ts'
import { isAlwaysLiquid, readReportedRates, reportsRate } from './reported-rate.ts'
import { closedOnShortfall, type Pricing, pricingCalls, pricingFrom } from './shortfall.ts'
import { simulateDepositRoom } from './simulate-deposit-room.ts'
import { timelockCalls, timelockFrom } from './timelock.ts'

/** How far ahead the price is read while no past reading is old enough. */
const AHEAD_SECONDS = 86_400

/**
 * Most vaults report no rate, so the yield is the growth of its price since the past reading. While there is none, the
 * node simulates the price a day ahead on the same state; this shows the pace of vaults that accrue every second, and
 * zero for vaults that book their yield now and then. Where `rate` names a function, the yield is what that returns
 * (reported-rate.ts). What one owner could withdraw is in positions.ts.
 */
export async function rates(chain: Chain, queries: readonly RatesQuery[], at?: BlockTime): Promise<Rates[]> {
  const block = at ?? (await chain.heads()).latest
  const strategies = queries.map(({ strategy }) => strategy)
  const [readings, ahead, reported, fluid] = await Promise.all([
    readVaults(chain, strategies, block.number),
    pricesAhead(chain, queries, block),
    readReportedRates(chain, queries, block),
    readFluidStates(chain, strategies, block.number),
  ])
  const queues = readings.flatMap(({ strategy, queue }) =>
    strategy.params.cash ? [] : (queueFrom(strategy, queue) ?? []),
  )
  const [queued, rooms] = await Promise.all([
    readQueueLiquidity(chain, queues, block.number),
    simulateRooms(chain, readings),
  ])
  return readings.map(({ strategy, pricing, fees, tvl, cash, terms, timelock }, i) => {
    const { price, reportedPrice } = pricing
    const { past } = queries[i]!
    const measured = past ? apySince(past, price, block) : apyAhead(reportedPrice, ahead.get(strategy.id))
    const state = fluid.get(strategy.id)
    const timelockSeconds = timelockFrom(timelock)
    const stated = isAlwaysLiquid(strategy) ? tvl : cashFrom(strategy, cash)
    return {
      price,
      tvl,
      liquidity: state?.liquidity ?? stated ?? queued.get(strategy.id) ?? null,
      apy: reported.get(strategy.id) ?? measured,
      deposits: closedOnShortfall(
        pricing,
        closedWhilePaused(state, depositTermsFrom(strategy, terms, rooms.get(strategy.id))),
      ),
      // The standard has no question about all owners together: elsewhere a pause shows in what each could withdraw.
      withdrawals: state ? (state.isPaused ? 'paused' : 'open') : null,
      ...fees,
      ...(pricing.shortfall !== undefined && { shortfall: pricing.shortfall }),
      ...(timelockSeconds !== undefined && { timelockSeconds }),
    }
  })
}

interface VaultReading {
  readonly strategy: Strategy
  readonly pricing: Pricing
  readonly fees: AnnouncedFees
  readonly tvl: bigint
  /** Results of `cashCall`, `depositTermsCalls`, `queueCalls` and `timelockCalls`. */
  readonly cash: unknown
  readonly terms: readonly unknown[]
  readonly queue: readonly unknown[]
  readonly timelock: readonly unknown[]
}

/** What each vault itself reports, in one batched read. */
async function readVaults(chain: Chain, strategies: readonly Strategy[], at: number): Promise<VaultReading[]> {
  const calls = strategies.map((strategy) => ({
    pricing: pricingCalls(strategy),
    fees: feeCalls(strategy),
    tvl: [{ address: strategy.params.vault!, abi: vaultAbi, functionName: 'totalAssets' }],
    cash: [cashCall(strategy)],
    terms: depositTermsCalls(strategy, ANYONE),
    queue: queueCalls(strategy),
    timelock: timelockCalls(strategy),
  }))
  const results = await requireEvmChain(chain).multicall(
    calls.flatMap((parts): ContractRead[] => Object.values(parts).flat()),
    at,
  )
  const take = (part: readonly ContractRead[]) => results.splice(0, part.length)
  return strategies.map((strategy, i) => {
    const { pricing: priced, fees, tvl, cash, terms, queue, timelock } = calls[i]!
    const pricing = pricingFrom(strategy, take(priced))
    return {
      strategy,
      pricing,
      fees: feesFrom(strategy, pricing.reportedPrice, take(fees)),
      tvl: integer(take(tvl)[0], tvl[0]!) - pricing.lost,
      cash: take(cash)[0],
      terms: take(terms),
      queue: take(queue),
      timelock: take(timelock),
    }
  })
}

/** What each vault with unreported limits accepts, by the strategy's id. A missing vault's limit is unknown. */
async function simulateRooms(
  chain: Chain,
  readings: readonly VaultReading[],
): Promise<ReadonlyMap<number, bigint | null>> {
  const untold = readings
    .filter(({ strategy, terms }) => areLimitsUnreported(strategy, terms))
    .map(({ strategy }) => strategy)
  const rooms = await Promise.all(untold.map((strategy) => simulateDepositRoom(requireEvmChain(chain), strategy)))
  return new Map(untold.flatMap(({ id }, i) => (rooms[i] === undefined ? [] : [[id, rooms[i]]])))
}

function apySince(past: { price: bigint; at: Date }, price: bigint, block: BlockTime): number {
  return apyFromGrowth(past.price, price, (block.time.getTime() - past.at.getTime()) / 1_000)
}

function apyAhead(price: bigint, later: bigint | undefined): number {
  return later === undefined ? 0 : apyFromGrowth(price, later, AHEAD_SECONDS)
}

/**
 * Prices a day after the block, by strategy; only for strategies without a past price, if the node can simulate them.
 */
async function pricesAhead(
  chain: Chain,
  queries: readonly RatesQuery[],
  block: BlockTime,
): Promise<ReadonlyMap<number, bigint>> {
  const withoutPast = queries
    .filter(({ strategy, past }) => past === undefined && !reportsRate(strategy))
    .map(({ strategy }) => strategy)
  if (withoutPast.length === 0) return new Map()
  const time = new Date(block.time.getTime() + AHEAD_SECONDS * 1_000)
  const results = (await requireEvmChain(chain).multicallAtTime(withoutPast.map(priceCall), time, block.number)) ?? []
  const pricesById = withoutPast.map(({ id }, i) => [id, results[i]] as const)
  return new Map(pricesById.filter((entry): entry is [number, bigint] => typeof entry[1] === 'bigint'))
}

/** What the vault could pay all depositors, where it reports that: by its function `cash`, or by the tokens that it keeps. */
function cashCall({ tokenAddress, params }: Strategy): ContractRead {
  const vault = params.vault!
  return params.cash === 'reported'
    ? { address: vault, abi: vaultAbi, functionName: 'cash', args: [] }
    : { address: tokenAddress, abi: erc20Abi, functionName: 'balanceOf', args: [vault] }
}

/** In the result of {@link cashCall}; `undefined`: the vault does not report it, and its balance proves nothing. */
function cashFrom(strategy: Strategy, result: unknown): bigint | undefined {
  const { cash, rate } = strategy.params
  // Spark's vaults, whose rate is `vsr`, pay from their own balance too.
  const tells = cash === 'reported' || cash === 'held' || rate === 'vsr'
  return tells ? integer(result, cashCall(strategy)) : undefined
}
