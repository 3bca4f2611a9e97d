import type { ContractRead } from '../../src/chains/index.ts'
import { PRICED, RAY, rayMul } from './contracts.ts'
import type { Market } from './market.ts'
import type { State } from './state.ts'

/** Of a reserve's configuration. */
const ACTIVE = 1n << 56n

/** A contract's result for a read, by function name; `undefined` if it reverts or does not exist. */
export function readContract(markets: readonly Market[], state: State, time: number, call: ContractRead): unknown {
  const { address, functionName } = call
  const args = (call.args ?? []) as readonly [string, string]
  const shares = markets.find(({ share }) => share === address)
  switch (functionName) {
    case 'allowance':
      return state.allowance(address, args[0], args[1])
    case 'balanceOf':
      return shares?.protocol === 'aave-v3'
        ? rayMul(state.balance(address, args[0]), shares.price(time))
        : state.balance(address, args[0])
    case 'scaledBalanceOf':
      return state.balance(address, args[0])
    case 'convertToAssets':
      return shares && ((call.args as readonly bigint[])[0]! * shares.price(time)) / PRICED
    case 'totalAssets':
    case 'totalSupply':
      return shares && state.balance(shares.token, shares.safe)
    case 'getReserveNormalizedIncome':
      return markets.find(({ protocol, token }) => protocol === 'aave-v3' && token === args[0])?.price(time)
    case 'asset':
    case 'UNDERLYING_ASSET_ADDRESS':
      return shares?.token
    case 'getReserveData':
      return { currentLiquidityRate: RAY / 20n, accruedToTreasury: 0n, liquidityIndex: RAY, configuration: ACTIVE }
    case 'maxDeposit':
      return shares && 2n ** 256n - 1n
    case 'maxRedeem':
      return shares && state.balance(address, args[0])
    default:
      return undefined
  }
}
