import type { Chain } from '../../chains/index.ts'
import { minAmount } from '../../kernel/index.ts'
import { undefinedIfUnavailable } from '../contract-unavailable.ts'
import type { BlockTime, DepositTerms, PositionReading, Rates, RatesQuery, SharesQuery, Strategy } from '../port.ts'
import { payableLater } from '../svm/payable-later.ts'
import { sharesToAssets } from '../svm/price.ts'
import { requireSvmChain, shares } from '../svm/reader.ts'
import { depositTermsOf } from './deposit-terms.ts'
import { accrueTo, supplyApy } from './interest.ts'
import { type InterestTerms, readInterestTerms } from './interest-terms.ts'
import { depositedSf, ONE_SF, priceOf } from './price.ts'
import { type Reserve, readReserve } from './reserve.ts'

interface ReserveWithTerms {
  readonly reserve: Reserve
  readonly terms: InterestTerms
  readonly deposits: DepositTerms
}

/**
 * Reserves as of a slot, or the latest. A reserve that was touched after that slot is as of that touch: past states are
 * not available, and the interest up to the touch belongs to the wallets in any case.
 */
export async function reservesAt(
  chain: Chain,
  strategies: readonly Strategy[],
  at?: number,
): Promise<ReserveWithTerms[]> {
  if (strategies.length === 0) return []
  const svm = requireSvmChain(chain)
  const addresses = strategies.map(({ params }) => params.reserve!)
  const [accounts, slot] = await Promise.all([
    svm.accounts(addresses, at),
    at ?? svm.heads().then(({ latest }) => latest.number),
  ])
  return addresses.map((address, index) => {
    const data = accounts[index]
    const reserve = readReserve(address, data)
    const terms = readInterestTerms(data!)
    const accrued = accrueTo(reserve, terms, BigInt(slot))
    return { reserve: accrued, terms, deposits: depositTermsOf(data!, accrued) }
  })
}

export function acceptedTokens(chain: Chain, strategies: readonly Strategy[]): Promise<(string | undefined)[]> {
  return Promise.all(
    strategies.map(async (strategy) => {
      const [reading] = (await undefinedIfUnavailable(reservesAt(chain, [strategy]))) ?? []
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

/** The rate follows from what is lent; whatever is not lent can be withdrawn. */
export async function rates(chain: Chain, queries: readonly RatesQuery[], at?: BlockTime): Promise<Rates[]> {
  const strategies = queries.map(({ strategy }) => strategy)
  return (await reservesAt(chain, strategies, at?.number)).map(({ reserve, terms, deposits }) => ({
    price: priceOf(reserve),
    apy: supplyApy(reserve, terms),
    tvl: depositedSf(reserve) / ONE_SF,
    liquidity: reserve.available,
    deposits,
    withdrawals: 'open',
  }))
}

/** What an owner could withdraw is the position, as far as the reserve holds tokens that are not lent out. */
export async function positions(chain: Chain, queries: readonly SharesQuery[]): Promise<PositionReading[]> {
  const strategies = queries.map(({ strategy }) => strategy)
  const [reserves, owned] = await Promise.all([reservesAt(chain, strategies), shares(chain, queries)])
  return reserves.map(({ reserve, terms }, index) => {
    const reading = { shares: owned[index]!, price: priceOf(reserve) }
    const withdrawable = minAmount(sharesToAssets(reading.shares, reading.price), reserve.available)
    const later = { withdrawable, held: reserve.available, apy: supplyApy(reserve, terms), price: reading.price }
    return { ...reading, withdrawable, payableLater: payableLater(later) }
  })
}
