import type { Intent } from './intent.ts'
import { refuseUnless } from './refusal.ts'

export function expectSupply({ type }: Intent): void {
  refuseUnless(type === 'SUPPLY', 'WRONG_STEP', 'the transaction deposits, but the operation withdraws')
}

export function expectUnwind({ type }: Intent): void {
  refuseUnless(type === 'UNWIND', 'WRONG_STEP', 'the transaction withdraws, but the operation deposits')
}

/** Base units. */
export function expectAmount(what: string, found: bigint, amount: bigint): void {
  refuseUnless(found === amount, 'WRONG_AMOUNT', `${what} is ${found} base units, the approved amount is ${amount}`)
}
