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
 * The aToken's Mint and Burn events report the change of the visible balance, which includes interest since the
 * wallet's last event (`balanceIncrease`). Subtracting the interest gives the amount; dividing the amount by the
 * event's index gives the scaled shares, rounded as in the contract. A withdrawal smaller than the interest is reported
 * as a Mint. Tokens are counted from the underlying token's own transfers, so a third party's deposit for the wallet
 * moves shares and none of the wallet's tokens. A transfer of aTokens is not a movement between wallet and strategy.
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

/** Scaled shares of an amount; negative amounts are withdrawals. */
function sharesOf(amount: bigint, index: bigint): bigint {
  return amount < 0n ? -rayDiv(-amount, index) : rayDiv(amount, index)
}
