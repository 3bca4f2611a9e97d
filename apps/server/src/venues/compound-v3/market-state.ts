import type { ContractRead } from '../../chains/index.ts'
import { ContractUnavailableError } from '../contract-unavailable.ts'
import { erc20Abi } from '../evm/erc20.ts'
import type { DepositTerms, Strategy } from '../port.ts'
import { cometCall } from './index-state.ts'

/** How many reads {@link pauseCalls} has. */
export const PAUSE_CALLS = 4

/** The reads of what is paused. The last two are of later releases; older ones do not have them. */
export function pauseCalls({ params }: Strategy): ContractRead[] {
  const names = ['isSupplyPaused', 'isWithdrawPaused', 'isBaseSupplyPaused', 'isLendersWithdrawPaused']
  return names.map((name) => cometCall(params.comet!, name))
}

interface Pauses {
  readonly deposits: DepositTerms
  readonly withdrawals: 'open' | 'paused'
}

/** What the results of {@link pauseCalls} say. A market has no cap on its base token. */
export function pausesIn({ params }: Strategy, results: readonly unknown[]): Pauses {
  const [supply, withdraw, baseSupply, lendersWithdraw] = results
  if (typeof supply !== 'boolean') throw new ContractUnavailableError(params.comet!, 'isSupplyPaused')
  if (typeof withdraw !== 'boolean') throw new ContractUnavailableError(params.comet!, 'isWithdrawPaused')
  return {
    deposits: supply || baseSupply === true ? { state: 'paused', room: 0n } : { state: 'open', room: null },
    withdrawals: withdraw || lendersWithdraw === true ? 'paused' : 'open',
  }
}

/** The read of what a market holds of its base token: what is not lent out, and all that a withdrawal can take. */
export function heldCall({ tokenAddress, params }: Strategy): ContractRead {
  return { address: tokenAddress, abi: erc20Abi, functionName: 'balanceOf', args: [params.comet!] }
}
