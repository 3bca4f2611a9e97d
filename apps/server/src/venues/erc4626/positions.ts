import type { Chain, ContractRead } from '../../chains/index.ts'
import { minAmount, mulDivDown } from '../../kernel/index.ts'
import { integer, requireEvmChain } from '../evm/reader.ts'
import type { PositionReading, SharesQuery } from '../port.ts'
import { vaultAbi } from './abi.ts'
import { readFluidStates } from './fluid-state.ts'
import { sharesToAssets } from './price.ts'
import { sharesCall } from './read.ts'
import { type Pricing, pricingCalls, pricingFrom } from './shortfall.ts'

/**
 * What an owner could withdraw is the vault's own statement: `maxRedeem` and `maxWithdraw` include what the vault has
 * lent on and can recall now. The standard allows them to be too low, and some vaults return 0 by design; where they
 * are 0 although the shares are worth something, the reading is unproven (simulate-withdrawable.ts). Fluid's report its limit, but no pause.
 */
export async function positions(chain: Chain, queries: readonly SharesQuery[]): Promise<PositionReading[]> {
  if (queries.length === 0) return []
  const calls = queries.map(callsOf)
  const strategies = [...new Map(queries.map(({ strategy }) => [strategy.id, strategy])).values()]
  const priced = strategies.map(pricingCalls)
  const [results, fluid] = await Promise.all([
    requireEvmChain(chain).multicall([...priced.flat(), ...calls.flat()]),
    readFluidStates(chain, strategies),
  ])
  const pricings = new Map(
    strategies.map((strategy, i) => [strategy.id, pricingFrom(strategy, results.splice(0, priced[i]!.length))]),
  )
  return queries.map((query, index) => {
    const [held, redeemable, withdrawable] = results.slice(index * 3, index * 3 + 3)
    const pricing = pricings.get(query.strategy.id)!
    const reading = { shares: integer(held, calls[index]![0]), price: pricing.price }
    const value = sharesToAssets(reading.shares, reading.price)
    const reported = reportedWithdrawable({ shares: reading.shares, pricing, redeemable, withdrawable })
    const state = fluid.get(query.strategy.id)
    if (state) return { ...reading, withdrawable: state.isPaused ? 0n : minAmount(reported, state.liquidity) }
    return { ...reading, withdrawable: reported, ...(reported === 0n && value > 0n && { isUnproven: true as const }) }
  })
}

function callsOf({ strategy, owner }: SharesQuery): [ContractRead, ContractRead, ContractRead] {
  const limit = (functionName: string) => ({
    address: strategy.params.vault!,
    abi: vaultAbi,
    functionName,
    args: [owner],
  })
  return [sharesCall({ strategy, owner }), limit('maxRedeem'), limit('maxWithdraw')]
}

/** How far `maxWithdraw` may be below the value of shares that can all be redeemed, by the rounding of both. */
const ROUNDING = 2n

/**
 * Where all shares can be redeemed, the whole value. Yearn's vaults redeem them at whatever loss their strategies have, but
 * withdraw without one: there only `maxWithdraw` can be had at the price. A vault that is short says what it pays
 * by its own price: the same part of the value counts.
 */
function reportedWithdrawable(read: {
  readonly shares: bigint
  readonly pricing: Pricing
  readonly redeemable: unknown
  readonly withdrawable: unknown
}): bigint {
  const { shares, pricing, redeemable, withdrawable } = read
  const { reportedPrice, price } = pricing
  const value = sharesToAssets(shares, price)
  const reportedValue = sharesToAssets(shares, reportedPrice)
  const isAllRedeemable = typeof redeemable === 'bigint' && redeemable >= shares
  if (typeof withdrawable !== 'bigint') return isAllRedeemable ? value : 0n
  if (isAllRedeemable && withdrawable + ROUNDING >= reportedValue) return value
  return minAmount(price === reportedPrice ? withdrawable : mulDivDown(withdrawable, price, reportedPrice), value)
}
