import type { Chain } from '../../chains/index.ts'
import type { WithdrawalState } from '../../database/index.ts'
import { minAmount } from '../../kernel/index.ts'
import { undefinedIfUnavailable } from '../contract-unavailable.ts'
import type { BlockTime, DepositTerms, PositionReading, Rates, RatesQuery, SharesQuery, Strategy } from '../port.ts'
import { maxPlannedWithdrawal } from '../svm/max-planned-withdrawal.ts'
import { sharesToAssets } from '../svm/price.ts'
import { requireSvmChain, shares } from '../svm/reader.ts'
import { depositTermsOf } from './deposit-terms.ts'
import { accrueTo, supplyApy } from './interest.ts'
import { type InterestTerms, readInterestTerms } from './interest-terms.ts'
import { type LendingMarket, readMarket } from './market.ts'
import { depositedSf, ONE_SF, priceOf } from './price.ts'
import { type Reserve, readReserve } from './reserve.ts'
import { isHalted, queuedAssets, readWithdrawalCap, withdrawableFrom } from './withdrawal-terms.ts'

interface ReserveReading {
  readonly data: Buffer
  readonly reserve: Reserve
  readonly interest: InterestTerms
  readonly market: LendingMarket
}

/** What a reserve accepts and pays. */
interface ReserveTerms extends ReserveReading {
  readonly deposits: DepositTerms
  readonly withdrawals: WithdrawalState
  /** What all depositors together could withdraw, even while nothing moves. */
  readonly liquidity: bigint
}

/** Reserves as of their last refresh, with the data that each was read from. */
async function storedReserves(chain: Chain, strategies: readonly Strategy[], at?: number) {
  const addresses = strategies.map(({ params }) => params.reserve!)
  const accounts = await requireSvmChain(chain).accounts(addresses, at)
  return addresses.map((address, index) => {
    const reserve = readReserve(address, accounts[index])
    return { data: accounts[index]!, reserve }
  })
}

/**
 * Reserves as of a slot, or the latest. A reserve that was touched after that slot is as of that touch: past states are
 * not available, and the interest up to the touch belongs to the wallets in any case. Asks twice: each reserve names the
 * market that decides on its rewards and can halt it.
 */
export async function reservesAt(
  chain: Chain,
  strategies: readonly Strategy[],
  at?: number,
): Promise<ReserveReading[]> {
  if (strategies.length === 0) return []
  const svm = requireSvmChain(chain)
  const [stored, slot] = await Promise.all([
    storedReserves(chain, strategies, at),
    at ?? svm.heads().then(({ latest }) => latest.number),
  ])
  const addresses = [...new Set(stored.map(({ reserve }) => reserve.lendingMarket))]
  const accounts = await svm.accounts(addresses, at)
  const markets = new Map(addresses.map((address, index) => [address, readMarket(address, accounts[index])]))
  return stored.map(({ data, reserve }) => {
    const market = markets.get(reserve.lendingMarket)!
    const interest = readInterestTerms(data, market.rewardsMaxAprBps)
    return { data, reserve: accrueTo(reserve, interest, BigInt(slot)), interest, market }
  })
}

/** Reserves with what they accept and pay. */
export async function reserveTermsAt(
  chain: Chain,
  strategies: readonly Strategy[],
  at?: BlockTime,
): Promise<ReserveTerms[]> {
  const [readings, time] = await Promise.all([
    reservesAt(chain, strategies, at?.number),
    at?.time ?? chain.heads().then(({ latest }) => latest.time),
  ])
  const now = BigInt(Math.floor(time.getTime() / 1_000))
  return readings.map((reading) => {
    const { data, reserve, market } = reading
    return {
      ...reading,
      deposits: depositTermsOf(data, reserve, market),
      withdrawals: isHalted(data, market) ? 'paused' : 'open',
      liquidity: withdrawableFrom(reserve, readWithdrawalCap(data), now),
    }
  })
}

export function acceptedTokens(chain: Chain, strategies: readonly Strategy[]): Promise<(string | undefined)[]> {
  return Promise.all(
    strategies.map(async (strategy) => {
      const [reading] = (await undefinedIfUnavailable(storedReserves(chain, [strategy]))) ?? []
      if (!reading) return undefined
      const { liquidityMint, collateralMint } = reading.reserve
      return collateralMint === strategy.params.shareMint ? liquidityMint : `one with shares of ${collateralMint}`
    }),
  )
}

/** Prices per share, in the scale of svm/price.ts. */
export async function prices(chain: Chain, strategies: readonly Strategy[], at?: number): Promise<bigint[]> {
  return (await reservesAt(chain, strategies, at)).map(({ reserve }) => priceOf(reserve))
}

/** The rate follows from what is lent, and from the rewards. */
export async function rates(chain: Chain, queries: readonly RatesQuery[], at?: BlockTime): Promise<Rates[]> {
  const strategies = queries.map(({ strategy }) => strategy)
  return (await reserveTermsAt(chain, strategies, at)).map(
    ({ reserve, interest, liquidity, deposits, withdrawals }) => ({
      price: priceOf(reserve),
      apy: supplyApy(reserve, interest),
      tvl: depositedSf(reserve) / ONE_SF,
      liquidity,
      deposits,
      withdrawals,
    }),
  )
}

/** What an owner could withdraw is the position, as far as the reserve pays; nothing while it or its market is halted. */
export async function positions(chain: Chain, queries: readonly SharesQuery[]): Promise<PositionReading[]> {
  const strategies = queries.map(({ strategy }) => strategy)
  const [reserves, owned] = await Promise.all([reserveTermsAt(chain, strategies), shares(chain, queries)])
  return reserves.map(({ reserve, interest, withdrawals, liquidity: held }, index) => {
    const reading = { shares: owned[index]!, price: priceOf(reserve) }
    if (withdrawals === 'paused') return { ...reading, withdrawable: 0n }
    const now = minAmount(sharesToAssets(reading.shares, reading.price), held)
    const ahead = queuedAssets(reserve)
    const later = { withdrawable: now, held, ahead, apy: supplyApy(reserve, interest), price: reading.price }
    return { ...reading, withdrawable: maxPlannedWithdrawal(later) }
  })
}
