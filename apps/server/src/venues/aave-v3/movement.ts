import type { IncludedTransaction } from '../../chains/index.ts'
import { isSameAddress } from '../evm/address.ts'
import { decodeEvents } from '../evm/decode-events.ts'
import { erc20Abi } from '../evm/erc20.ts'
import { netMovement } from '../net-movement.ts'
import type { Movement, Strategy } from '../port.ts'
import { aTokenAbi } from './abi.ts'
import { rayDiv } from './ray.ts'

/**
 * What a transaction moved between a wallet and an Aave reserve.
 *
 * The aToken's Mint and Burn do not tell amounts but how the shown balance changed, interest since the wallet's last
 * event (`balanceIncrease`) included; taking that out again gives the amount, and the amount at the event's index the
 * scaled shares, with the same rounding as in the contract. A withdrawal that is smaller than the interest shows as a
 * Mint. Tokens are counted by the underlying's own transfers, so that a deposit that a stranger makes for the wallet
 * moves shares and none of the wallet's tokens. A transfer of aTokens is no movement between wallet and strategy.
 */
export function movement(strategy: Strategy, owner: string, transaction: IncludedTransaction): Movement | undefined {
  const aToken = strategy.params.aToken!
  let shares = 0n
  for (const { eventName, args } of decodeEvents(aTokenAbi, aToken, transaction)) {
    if (eventName === 'Mint' && isSameAddress(args.onBehalfOf, owner)) {
      shares += sharesOf(args.value - args.balanceIncrease, args.index)
    } else if (eventName === 'Burn' && isSameAddress(args.from, owner)) {
      shares -= sharesOf(args.value + args.balanceIncrease, args.index)
    }
  }
  let assets = 0n
  for (const { eventName, args } of decodeEvents(erc20Abi, strategy.tokenAddress, transaction)) {
    if (eventName !== 'Transfer') continue
    if (isSameAddress(args.from, owner) && isSameAddress(args.to, aToken)) assets += args.value
    if (isSameAddress(args.from, aToken) && isSameAddress(args.to, owner)) assets -= args.value
  }
  return netMovement(shares, assets)
}

/** Scaled shares of an amount in or (negative) out. */
function sharesOf(amount: bigint, index: bigint): bigint {
  return amount < 0n ? -rayDiv(-amount, index) : rayDiv(amount, index)
}
