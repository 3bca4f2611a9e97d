import type { IncludedTransaction } from '../../chains/index.ts'
import { isSameAddress } from '../evm/address.ts'
import { decodeEvents } from '../evm/decode-events.ts'
import { netMovement } from '../net-movement.ts'
import type { Movement, Strategy } from '../port.ts'
import { asyncVaultAbi } from './abi.ts'

/** Deposits only: `Withdraw` of these vaults is a claim (exits.ts). */
export function movement(strategy: Strategy, owner: string, transaction: IncludedTransaction): Movement | undefined {
  let shares = 0n
  let assets = 0n
  for (const { eventName, args } of decodeEvents(asyncVaultAbi, strategy.params.vault!, transaction)) {
    if (eventName !== 'Deposit' || !isSameAddress(args.owner, owner)) continue
    shares += args.shares
    if (isSameAddress(args.sender, owner)) assets += args.assets
  }
  return netMovement(shares, assets)
}
