import type { Chain, ContractRead } from '../../chains/index.ts'
import { apyFromGrowth } from '../../kernel/index.ts'
import { erc20Abi } from '../evm/erc20.ts'
import { readAddresses } from '../evm/read-addresses.ts'
import { integer, readIntegers, requireEvmChain } from '../evm/reader.ts'
import type { BlockTime, Rates, RatesQuery, SharesQuery, Strategy } from '../port.ts'
import { vaultAbi } from './abi.ts'
import { ANYONE, depositTermsCall, depositTermsFrom } from './deposit-terms.ts'
import { readFluidStates, unlessPaused } from './fluid-state.ts'
import { PRICE_SCALE } from './price.ts'
import { queueCalls, queueFrom, readQueueLiquidity } from './queue-liquidity.ts'
import { isAlwaysWhole, readReportedRates, reportsRate } from './reported-rate.ts'
import { timelockCalls, timelockFrom } from './timelock.ts'

/** How far ahead the price is read while no past reading is old enough. */
const AHEAD_SECONDS = 86_400

export function acceptedTokens(chain: Chain, strategies: readonly Strategy[]): Promise<(string | undefined)[]> {
  return readAddresses(
    chain,
    strategies.map(({ params }) => ({ address: params.vault!, abi: vaultAbi, functionName: 'asset' })),
  )
}

/** Prices per share, in the scale of price.ts. */
export function prices(chain: Chain, strategies: readonly Strategy[], at?: number): Promise<bigint[]> {
  return readIntegers(chain, strategies.map(priceCall), at)
}

/** Balances of vault shares. */
export function shares(chain: Chain, queries: readonly SharesQuery[], at?: number): Promise<bigint[]> {
  return readIntegers(chain, queries.map(sharesCall), at)
}

export function sharesCall({ strategy, owner }: SharesQuery): ContractRead {
  return { address: strategy.params.vault!, abi: vaultAbi, functionName: 'balanceOf', args: [owner] }
}

/**
 * Most vaults report no rate, so the yield is the growth of its price since the past reading. While there is none, the
 * node simulates the price a day ahead on the same state; this shows the pace of vaults that accrue every second, and
 * zero for vaults that book their yield now and then. Where `rate` names a function, the yield is what that returns
 * (reported-rate.ts). What one owner could withdraw is in positions.ts.
 */
export async function rates(chain: Chain, queries: readonly RatesQuery[], at?: BlockTime): Promise<Rates[]> {
  const calls = queries.map(({ strategy }) => [
    priceCall(strategy),
    { address: strategy.params.vault!, abi: vaultAbi, functionName: 'totalAssets' },
    depositTermsCall(strategy, ANYONE),
    cashCall(strategy),
    ...queueCalls(strategy),
    ...timelockCalls(strategy),
  ])
  const block = at ?? (await chain.heads()).latest
  const strategies = queries.map(({ strategy }) => strategy)
  const [now, ahead, reported, fluid] = await Promise.all([
    requireEvmChain(chain).multicall(calls.flat(), block.number),
    pricesAhead(chain, queries, block),
    readReportedRates(chain, queries, block),
    readFluidStates(chain, strategies, block.number),
  ])
  const read = calls.map(({ length }, i) => now.slice(i * length, (i + 1) * length))
  const queues = strategies.flatMap((strategy, i) =>
    strategy.params.cash ? [] : (queueFrom(strategy, read[i]!.slice(4, 6)) ?? []),
  )
  const queued = await readQueueLiquidity(chain, queues, block.number)
  return queries.map(({ strategy, past }, i) => {
    const [priceRead, tvlRead] = calls[i]!
    const [price, tvl] = [integer(read[i]![0], priceRead!), integer(read[i]![1], tvlRead!)]
    const measured = past ? apySince(past, price, block) : apyAhead(price, ahead.get(strategy.id))
    const state = fluid.get(strategy.id)
    const timelockSeconds = timelockFrom(read[i]!.slice(6))
    const told = isAlwaysWhole(strategy) ? tvl : cashFrom(strategy, read[i]![3])
    return {
      price,
      tvl,
      liquidity: state?.liquidity ?? told ?? queued.get(strategy.id) ?? null,
      apy: reported.get(strategy.id) ?? measured,
      deposits: unlessPaused(state, depositTermsFrom(strategy, read[i]![2])),
      // Elsewhere a pause shows in what each owner could withdraw: the standard has no question about all of them.
      withdrawals: state?.isPaused ? 'paused' : 'open',
      ...(timelockSeconds !== undefined && { timelockSeconds }),
    }
  })
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

/** In the result of {@link cashCall}; `undefined`: the vault does not tell, and its balance says nothing. */
function cashFrom(strategy: Strategy, result: unknown): bigint | undefined {
  const { cash, rate } = strategy.params
  // Spark's vaults, whose rate is `vsr`, pay from their own balance too.
  const tells = cash === 'reported' || cash === 'held' || rate === 'vsr'
  return tells ? integer(result, cashCall(strategy)) : undefined
}

export function priceCall(strategy: Strategy): ContractRead {
  return { address: strategy.params.vault!, abi: vaultAbi, functionName: 'convertToAssets', args: [PRICE_SCALE] }
}
