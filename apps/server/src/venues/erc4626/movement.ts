import type { IncludedTransaction } from '../../chains/index.ts'
import { isSameAddress } from '../evm/address.ts'
import { decodeEvents } from '../evm/decode-events.ts'
import { netMovement } from '../net-movement.ts'
import type { Movement, Strategy } from '../port.ts'
import { vaultAbi } from './abi.ts'

/**
 * What a transaction moved between a wallet and a vault, from the vault's own Deposit and Withdraw events. Shares count
 * if they belong to the wallet, tokens if the wallet itself paid or received them, so a third party's deposit for the
 * wallet moves shares only. A transfer of shares is not a movement between wallet and strategy.
 */
export function movement(strategy: Strategy, owner: string, transaction: IncludedTransaction): Movement | undefined {
  let shares = 0n
  let assets = 0n
  for (const { eventName, args } of decodeEvents(vaultAbi, strategy.params.vault!, transaction)) {
    if (!isSameAddress(args.owner, owner)) continue
    if (eventName === 'Deposit') {
      shares += args.shares
      if (isSameAddress(args.sender, owner)) assets += args.assets
    } else {
      shares -= args.shares
      if (isSameAddress(args.receiver, owner)) assets -= args.assets
    }
  }
  return netMovement(shares, assets)
}
