import { VAULT_FEE_MAX } from '../../kernel/index.ts'
import type { Strategy } from '../port.ts'

type Fees = Pick<Strategy, 'entryFeeBps' | 'exitFeeBps'>

/** What a strategy announces to keep of a deposit or a withdrawal, as `2.50%`; `undefined`: too little to matter. */
export function feeText(fees: Fees, direction: 'entry' | 'exit'): string | undefined {
  const basisPoints = (direction === 'entry' ? fees.entryFeeBps : fees.exitFeeBps) ?? 0
  if (basisPoints <= Number(VAULT_FEE_MAX)) return undefined
  return `${Math.floor(basisPoints / 100)}.${String(basisPoints % 100).padStart(2, '0')}%`
}

/** The warning for a deposit or a withdrawal that such a fee makes smaller; `undefined`: none does. */
export function feeWarning(fees: Fees, direction: 'entry' | 'exit'): string | undefined {
  const fee = feeText(fees, direction)
  return fee && `The strategy keeps ${fee} of each ${direction === 'entry' ? 'deposit' : 'withdrawal'} as a fee.`
}
