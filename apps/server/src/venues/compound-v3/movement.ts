import { zeroAddress } from 'viem'
import type { IncludedTransaction } from '../../chains/index.ts'
import { ContractUnavailableError } from '../contract-unavailable.ts'
import { isSameAddress } from '../evm/address.ts'
import { decodeEvents } from '../evm/decode-events.ts'
import { netMovement } from '../net-movement.ts'
import type { Movement, Strategy } from '../port.ts'
import { cometAbi } from './abi.ts'
import { principalOf } from './balance.ts'

/**
 * What a transaction moved between a wallet and a market, from its Supply and Withdraw events. Each is followed by a
 * Transfer with the value of the change of the principal; with the index of that block, `price`, the change is exact.
 * Tokens count if the wallet itself paid or received them, so a third party's deposit for the wallet moves shares only.
 * A transfer between accounts is not a movement between wallet and strategy.
 */
export function movement(
  strategy: Strategy,
  owner: string,
  transaction: IncludedTransaction,
  price?: bigint,
): Movement | undefined {
  const comet = strategy.params.comet!
  let shares = 0n
  let assets = 0n
  let cause: 'Supply' | 'Withdraw' | undefined
  for (const { eventName, args } of decodeEvents(cometAbi, comet, transaction)) {
    if (eventName === 'Supply') {
      cause = isSameAddress(args.dst, owner) ? eventName : undefined
      if (cause && isSameAddress(args.from, owner)) assets += args.amount
    } else if (eventName === 'Withdraw') {
      cause = isSameAddress(args.src, owner) ? eventName : undefined
      if (cause && isSameAddress(args.to, owner)) assets -= args.amount
    } else {
      const [from, to] = cause === 'Supply' ? [zeroAddress, owner] : [owner, zeroAddress]
      if (cause && isSameAddress(args.from, from) && isSameAddress(args.to, to)) {
        if (price === undefined) throw new ContractUnavailableError(comet, 'totalsBasic')
        shares += (cause === 'Supply' ? 1n : -1n) * principalOf(args.amount, price)
      }
      cause = undefined
    }
  }
  return netMovement(shares, assets)
}
