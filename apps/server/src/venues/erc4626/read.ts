import type { Chain, ContractRead } from '../../chains/index.ts'
import { apyFromGrowth } from '../apy.ts'
import { erc20Abi } from '../evm/erc20.ts'
import { readIntegers, requireEvmChain } from '../evm/reader.ts'
import type { BlockTime, Rates, RatesQuery, SharesQuery, Strategy } from '../port.ts'
import { vaultAbi } from './abi.ts'
import { PRICE_SCALE } from './price.ts'

/** How far ahead the price is asked for while there is no reading old enough. */
const AHEAD_SECONDS = 86_400

/** Prices per share, scaled as price.ts says. */
export function prices(chain: Chain, strategies: readonly Strategy[], at?: number): Promise<bigint[]> {
  return readIntegers(chain, strategies.map(priceCall), at)
}

/** Balances of vault shares. */
export function shares(chain: Chain, asked: readonly SharesQuery[], at?: number): Promise<bigint[]> {
  const calls = asked.map(({ strategy, owner }) => ({
    address: strategy.params.vault!,
    abi: vaultAbi,
    functionName: 'balanceOf',
    args: [owner],
  }))
  return readIntegers(chain, calls, at)
}

/**
 * A vault tells no rate, so its yield is what its price did: from the past reading until now. While there is none, the
 * node is asked for the price a day ahead on the same state, which shows the pace of vaults that accrue by the second
 * and zero for those that book their yield now and then. Liquidity is the token that the vault itself holds: what it
 * lent on may come back too, but nobody promises when.
 */
export async function rates(chain: Chain, asked: readonly RatesQuery[], at?: BlockTime): Promise<Rates[]> {
  const calls = asked.flatMap(({ strategy }) => [
    priceCall(strategy),
    { address: strategy.params.vault!, abi: vaultAbi, functionName: 'totalAssets' },
    { address: strategy.tokenAddress, abi: erc20Abi, functionName: 'balanceOf', args: [strategy.params.vault!] },
  ])
  const block = at ?? (await chain.heads()).latest
  const [now, ahead] = await Promise.all([readIntegers(chain, calls, block.number), pricesAhead(chain, asked, block)])
  return asked.map(({ strategy, past }, i) => {
    const [price, tvl, liquidity] = now.slice(i * 3, i * 3 + 3) as [bigint, bigint, bigint]
    return { price, tvl, liquidity, apy: past ? apySince(past, price, block) : apyAhead(price, ahead.get(strategy.id)) }
  })
}

function apySince(past: { price: bigint; at: Date }, price: bigint, block: BlockTime): number {
  return apyFromGrowth(past.price, price, (block.time.getTime() - past.at.getTime()) / 1_000)
}

function apyAhead(price: bigint, later: bigint | undefined): number {
  return later === undefined ? 0 : apyFromGrowth(price, later, AHEAD_SECONDS)
}

/** Prices a day after the block, by strategy; only of those without a past, and only where the node can tell. */
async function pricesAhead(
  chain: Chain,
  asked: readonly RatesQuery[],
  block: BlockTime,
): Promise<ReadonlyMap<number, bigint>> {
  const young = asked.filter(({ past }) => past === undefined).map(({ strategy }) => strategy)
  if (young.length === 0) return new Map()
  const time = new Date(block.time.getTime() + AHEAD_SECONDS * 1_000)
  const answers = (await requireEvmChain(chain).multicallAtTime(young.map(priceCall), time, block.number)) ?? []
  const known = young.map(({ id }, i) => [id, answers[i]] as const)
  return new Map(known.filter((entry): entry is [number, bigint] => typeof entry[1] === 'bigint'))
}

function priceCall(strategy: Strategy): ContractRead {
  return { address: strategy.params.vault!, abi: vaultAbi, functionName: 'convertToAssets', args: [PRICE_SCALE] }
}
