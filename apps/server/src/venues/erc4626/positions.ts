import type { Chain, ContractRead } from '../../chains/index.ts'
import { minAmount } from '../../kernel/index.ts'
import { integer, requireEvmChain } from '../evm/reader.ts'
import type { PositionReading, SharesQuery } from '../port.ts'
import { vaultAbi } from './abi.ts'
import { readFluidStates } from './fluid-state.ts'
import { sharesToAssets } from './price.ts'
import { priceCall, sharesCall } from './read.ts'

/**
 * What an owner could withdraw is the vault's own statement: `maxRedeem` and `maxWithdraw` include what the vault has
 * lent on and can recall now. The standard allows them to be too low, and some vaults return 0 by design; where they
 * are 0 although the shares are worth something, the reading is unproven (simulate-withdrawable.ts). Fluid's report its limit, but no pause.
 */
export async function positions(chain: Chain, queries: readonly SharesQuery[]): Promise<PositionReading[]> {
  if (queries.length === 0) return []
  const calls = queries.map(callsOf)
  const strategies = queries.map(({ strategy }) => strategy)
  const [results, fluid] = await Promise.all([
    requireEvmChain(chain).multicall(calls.flat()),
    readFluidStates(chain, strategies),
  ])
  return queries.map((query, index) => {
    const [shares, price, redeemable, withdrawable] = results.slice(index * 4, index * 4 + 4)
    const [sharesRead, pricePer] = calls[index]!
    const reading = { shares: integer(shares, sharesRead), price: integer(price, pricePer) }
    const value = sharesToAssets(reading.shares, reading.price)
    const reported = reportedWithdrawable({ shares: reading.shares, value, redeemable, withdrawable })
    const state = fluid.get(query.strategy.id)
    if (state) return { ...reading, withdrawable: state.isPaused ? 0n : minAmount(reported, state.liquidity) }
    return { ...reading, withdrawable: reported, ...(reported === 0n && value > 0n && { isUnproven: true as const }) }
  })
}

function callsOf({ strategy, owner }: SharesQuery): [ContractRead, ContractRead, ContractRead, ContractRead] {
  const limit = (functionName: string) => ({
    address: strategy.params.vault!,
    abi: vaultAbi,
    functionName,
    args: [owner],
  })
  return [sharesCall({ strategy, owner }), priceCall(strategy), limit('maxRedeem'), limit('maxWithdraw')]
}

/** How far `maxWithdraw` may be below the value of shares that can all be redeemed, by the rounding of both. */
const ROUNDING = 2n

/**
 * Where all shares can be redeemed, the whole value. Yearn's vaults redeem them at whatever loss their strategies have, but
 * withdraw without one: there only `maxWithdraw` can be had at the price.
 */
function reportedWithdrawable(read: {
  readonly shares: bigint
  readonly value: bigint
  readonly redeemable: unknown
  readonly withdrawable: unknown
}): bigint {
  const { shares, value, redeemable, withdrawable } = read
  const isAllRedeemable = typeof redeemable === 'bigint' && redeemable >= shares
  if (typeof withdrawable !== 'bigint') return isAllRedeemable ? value : 0n
  return isAllRedeemable && withdrawable + ROUNDING >= value ? value : minAmount(withdrawable, value)
}
