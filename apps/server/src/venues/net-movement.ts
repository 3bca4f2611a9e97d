import { maxAmount } from '../kernel/index.ts'
import type { Movement } from './port.ts'

/**
 * The net movement of a transaction, from signed sums: positive is into the strategy. The shares decide the direction.
 * Assets that went the other way (a contract wallet may do many things in one transaction) did not come from this
 * movement and count as zero.
 */
export function netMovement(shares: bigint, assets: bigint): Movement | undefined {
  if (shares === 0n && assets === 0n) return undefined
  const into = shares > 0n || (shares === 0n && assets > 0n)
  return into
    ? { direction: 'in', assets: maxAmount(assets, 0n), shares }
    : { direction: 'out', assets: maxAmount(-assets, 0n), shares: -shares }
}
