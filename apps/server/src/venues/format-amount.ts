import { formatDecimal } from '../kernel/index.ts'
import type { Strategy } from './port.ts'

/** An amount as shown to people in a description: "1,000.00 USDC". */
export function formatAmount(strategy: Pick<Strategy, 'token' | 'tokenDecimals'>, amount: bigint): string {
  const [whole = '', fraction = ''] = formatDecimal(amount, strategy.tokenDecimals).split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction} ${strategy.token}`
}
