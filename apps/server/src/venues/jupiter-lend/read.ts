import type { Chain } from '../../chains/index.ts'
import { minAmount, mulDivDown } from '../../kernel/index.ts'
import { undefinedIfUnavailable } from '../contract-unavailable.ts'
import type { BlockTime, DepositTerms, PositionReading, Rates, RatesQuery, SharesQuery, Strategy } from '../port.ts'
import { maxPlannedWithdrawal } from '../svm/max-planned-withdrawal.ts'
import { PRICE_SCALE, sharesToAssets } from '../svm/price.ts'
import { requireSvmChain, shares } from '../svm/reader.ts'
import { readHeld, readLending, readPosition, readReserve, readSupply } from './accounts.ts'
import { marketAddresses } from './program.ts'
import { apyOf, type JupiterMarket, priceOf, withdrawableFrom } from './state.ts'

interface MarketAt {
  readonly market: JupiterMarket
  /** Base units that all depositors together could withdraw. */
  readonly liquidity: bigint
  readonly deposits: DepositTerms
}

/** Markets as of a slot, or the latest. One that was touched after that slot is as of that touch. */
export async function marketsAt(
  chain: Chain,
  strategies: readonly Strategy[],
  at?: BlockTime | number,
): Promise<MarketAt[]> {
  if (strategies.length === 0) return []
  const svm = requireSvmChain(chain)
  const markets = await Promise.all(strategies.map(({ tokenAddress }) => marketAddresses(tokenAddress)))
  const slot = typeof at === 'number' ? at : at?.number
  const asked = markets.map(({ lending, reserve, position, vault, shareMint }) => {
    return [lending, reserve, position, vault, shareMint] as const
  })
  const [accounts, { latest }] = await Promise.all([svm.accounts(asked.flat(), slot), svm.heads()])
  const time = typeof at === 'object' ? at.time : latest.time
  const now = BigInt(Math.floor(time.getTime() / 1_000))
  return asked.map(([lending, reserve, position, vault, shareMint], index) => {
    const [lendingData, reserveData, positionData, vaultData, mintData] = accounts.slice(index * 5, index * 5 + 5)
    const market = {
      lending: readLending(lending, lendingData),
      reserve: readReserve(reserve, reserveData),
      position: readPosition(position, positionData),
      held: readHeld(vault, vaultData),
      shares: readSupply(shareMint, mintData),
    }
    const { isPaused } = market.position
    return {
      market,
      liquidity: withdrawableFrom(market, now),
      deposits: isPaused ? { state: 'paused', room: 0n } : { state: 'open', room: null },
    }
  })
}

export function acceptedTokens(chain: Chain, strategies: readonly Strategy[]): Promise<(string | undefined)[]> {
  return Promise.all(
    strategies.map(async (strategy) => {
      const [reading] = (await undefinedIfUnavailable(marketsAt(chain, [strategy]))) ?? []
      if (!reading) return undefined
      const { token, shareMint } = reading.market.lending
      return shareMint === strategy.params.shareMint ? token : `one with shares of ${shareMint}`
    }),
  )
}

/** Prices per share, in the scale of svm/price.ts. */
export async function prices(chain: Chain, strategies: readonly Strategy[], at?: number): Promise<bigint[]> {
  return (await marketsAt(chain, strategies, at)).map(({ market }) => priceOf(market))
}

export async function rates(chain: Chain, queries: readonly RatesQuery[], at?: BlockTime): Promise<Rates[]> {
  const strategies = queries.map(({ strategy }) => strategy)
  return (await marketsAt(chain, strategies, at)).map(({ market, liquidity, deposits }) => ({
    price: priceOf(market),
    apy: apyOf(market),
    tvl: mulDivDown(market.shares, priceOf(market), PRICE_SCALE),
    liquidity,
    deposits,
    withdrawals: market.position.isPaused ? 'paused' : 'open',
  }))
}

/**
 * What an owner could withdraw is the position, as far as limit and vault allow when it lands; nothing while the market is
 * paused. A full withdrawal redeems shares, which earn until then, and the program rounds amounts against the owner.
 */
export async function positions(chain: Chain, queries: readonly SharesQuery[]): Promise<PositionReading[]> {
  const strategies = queries.map(({ strategy }) => strategy)
  const [markets, owned] = await Promise.all([marketsAt(chain, strategies), shares(chain, queries)])
  return markets.map(({ market, liquidity }, index) => {
    const reading = { shares: owned[index]!, price: priceOf(market) }
    if (market.position.isPaused) return { ...reading, withdrawable: 0n }
    const now = minAmount(sharesToAssets(reading.shares, reading.price), liquidity)
    const later = { withdrawable: now, held: liquidity, apy: apyOf(market), price: reading.price }
    return { ...reading, withdrawable: maxPlannedWithdrawal(later) }
  })
}
