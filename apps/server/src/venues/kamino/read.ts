import type { Chain } from '../../chains/index.ts'
import type { BlockTime, Rates, RatesQuery, Strategy } from '../port.ts'
import { requireSvmChain } from '../svm/reader.ts'
import { accrueTo, supplyApy } from './interest.ts'
import { type InterestTerms, readInterestTerms } from './interest-terms.ts'
import { depositedSf, ONE_SF, priceOf } from './price.ts'
import { type Reserve, readReserve } from './reserve.ts'

interface ReserveWithTerms {
  readonly reserve: Reserve
  readonly terms: InterestTerms
}

/**
 * Reserves as they stand at a slot, or at the latest. Where somebody touched one after that slot, it is as of that touch:
 * a reserve's past is not kept, and its interest up to then is the wallets' own in any case.
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
    return { reserve: accrueTo(reserve, terms, BigInt(slot)), terms }
  })
}

/** Prices per share, scaled as svm/price.ts says. */
export async function prices(chain: Chain, strategies: readonly Strategy[], at?: number): Promise<bigint[]> {
  return (await reservesAt(chain, strategies, at)).map(({ reserve }) => priceOf(reserve))
}

/** The rate follows from what is lent; what is not lent can be withdrawn. */
export async function rates(chain: Chain, asked: readonly RatesQuery[], at?: BlockTime): Promise<Rates[]> {
  const strategies = asked.map(({ strategy }) => strategy)
  return (await reservesAt(chain, strategies, at?.number)).map(({ reserve, terms }) => ({
    price: priceOf(reserve),
    apy: supplyApy(reserve, terms),
    tvl: depositedSf(reserve) / ONE_SF,
    liquidity: reserve.available,
  }))
}
