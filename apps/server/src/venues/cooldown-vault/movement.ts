import type { IncludedTransaction } from '../../chains/index.ts'
import { isSameAddress } from '../evm/address.ts'
import { decodeEvents } from '../evm/decode-events.ts'
import { netMovement } from '../net-movement.ts'
import type { Movement, Strategy } from '../port.ts'
import { cooldownVaultAbi } from './abi.ts'

/** As for any ERC-4626 vault, except that what goes to the vault's escrow is a request (exits.ts). */
export function movement(strategy: Strategy, owner: string, transaction: IncludedTransaction): Movement | undefined {
  let shares = 0n
  let assets = 0n
  for (const { eventName, args } of decodeEvents(cooldownVaultAbi, strategy.params.vault!, transaction)) {
    if (!isSameAddress(args.owner, owner)) continue
    if (eventName === 'Deposit') {
      shares += args.shares
      if (isSameAddress(args.sender, owner)) assets += args.assets
    } else if (!isSameAddress(args.receiver, strategy.params.escrow!)) {
      shares -= args.shares
      if (isSameAddress(args.receiver, owner)) assets -= args.assets
    }
  }
  return netMovement(shares, assets)
}
