import type { ContractRead } from '../../src/chains/index.ts'
import { depositsIn, PRICED, payableBy, RAY, rayMul, roomOf, worth } from './contracts.ts'
import { exitAt } from './exits.ts'
import { type Market, USDC_FEED } from './market.ts'
import type { State } from './state.ts'

/** Bits of a reserve's configuration. */
const ACTIVE = 1n << 56n
const FROZEN = 1n << 57n
/** The first bit of the supply cap, in whole tokens. */
const SUPPLY_CAP = 116n
const TOKEN = 1_000_000n

function configurationOf(markets: readonly Market[], token: string): bigint {
  const pool = markets.find((market) => market.protocol === 'aave-v3' && market.token === token)
  const { accepts = true, cap = null } = pool?.limits ?? {}
  return ACTIVE | (accepts ? 0n : FROZEN) | (cap === null ? 0n : (cap / TOKEN) << SUPPLY_CAP)
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** A contract's result for a read, by function name; `undefined` if it reverts or does not exist. */
export function readContract(markets: readonly Market[], state: State, time: number, call: ContractRead): unknown {
  const { address, functionName } = call
  const args = (call.args ?? []) as readonly [string, string]
  const shares = markets.find(({ share }) => share === address)
  switch (functionName) {
    case 'allowance':
      return state.allowance(address, args[0], args[1])
    case 'balanceOf': {
      const lender = markets.find(({ token, safe }) => token === address && safe === args[0])
      if (lender) return payableBy(state, lender)
      return shares?.protocol === 'aave-v3'
        ? rayMul(state.balance(address, args[0]), shares.price(time))
        : state.balance(address, args[0])
    }
    case 'scaledBalanceOf':
      return state.balance(address, args[0])
    case 'convertToAssets':
      return shares && ((call.args as readonly bigint[])[0]! * shares.price(time)) / PRICED
    case 'totalAssets':
    case 'totalSupply':
      return shares && depositsIn(state, shares)
    case 'getReserveNormalizedIncome':
      return markets.find(({ protocol, token }) => protocol === 'aave-v3' && token === args[0])?.price(time)
    case 'asset':
    case 'UNDERLYING_ASSET_ADDRESS':
      return shares?.token
    case 'getReserveData':
      return {
        currentLiquidityRate: RAY / 20n,
        accruedToTreasury: 0n,
        liquidityIndex: RAY,
        configuration: configurationOf(markets, args[0]),
      }
    case 'decimals':
      return address === USDC_FEED ? 8 : undefined
    case 'latestRoundData':
      return address === USDC_FEED ? [1n, markets[0]!.limits.usd, BigInt(time), BigInt(time), 1n] : undefined
    case 'maxDeposit':
      if (shares?.limits.isSilent) return 0n
      return shares && (shares.limits.accepts ? roomOf(state, shares) : 0n)
    case 'maxRedeem':
      if (shares?.limits.isSilent) return 0n
      return (
        shares && smaller(state.balance(address, args[0]), (payableBy(state, shares) * PRICED) / shares.price(time))
      )
    case 'getCurrentBlockTimestamp':
      return BigInt(time)
    case 'cooldownDuration':
      return shares?.exit?.seconds
    case 'cooldowns': {
      if (!shares) return undefined
      const { waiting } = state.exit(address, args[0])
      return [BigInt(waiting[0]?.until ?? 0), waiting[0]?.assets ?? 0n]
    }
    case 'pendingRedeemRequest':
      return shares && exitAt(state, shares, args[1], time).pendingShares
    case 'maxWithdraw':
      if (shares?.protocol === 'erc7540') return exitAt(state, shares, args[0], time).claimable
      if (shares?.limits.isSilent) return 0n
      return (
        shares && smaller(worth(shares, state.balance(address, args[0]), shares.price(time)), payableBy(state, shares))
      )
    default:
      return undefined
  }
}
