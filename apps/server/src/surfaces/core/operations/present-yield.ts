import type { OperationView, SupplyYield } from '../../../operations/index.ts'
import { amountOf, twoDigits } from '../formats.ts'

export function presentYield(supplyYield: SupplyYield | undefined, view: OperationView) {
  if (!supplyYield) return null
  const token = { symbol: view.token, decimals: view.tokenDecimals }
  return {
    principalDeployed: amountOf(supplyYield.principal, token),
    yieldEarned: amountOf(supplyYield.earned, token),
    effectiveAPY: twoDigits(supplyYield.effectiveApy),
    daysAllocated: Math.round(supplyYield.days * 100) / 100,
  }
}
