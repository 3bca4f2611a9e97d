import { maxAmount } from '../kernel/index.ts'
import type { Movement } from './port.ts'

/**
 * The sum of what a transaction moved, from signed sums: positive is into the strategy. The shares give the direction;
 * assets that went against it (a contract wallet may do many things at once) did not come from this movement and count
 * as none.
 */
export function netMovement(shares: bigint, assets: bigint): Movement | undefined {
  if (shares === 0n && assets === 0n) return undefined
  const into = shares > 0n || (shares === 0n && assets > 0n)
  return into
    ? { direction: 'in', assets: maxAmount(assets, 0n), shares }
    : { direction: 'out', assets: maxAmount(-assets, 0n), shares: -shares }
}
