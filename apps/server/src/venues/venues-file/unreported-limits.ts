import type { Chain } from '../../chains/index.ts'
import { simulateDepositRoom } from '../erc4626/simulate-deposit-room.ts'
import { requireEvmChain } from '../evm/reader.ts'
import type { Rates, Strategy } from '../port.ts'
import type { VenuesFileProblem } from './venues-file-error.ts'

/**
 * What to tell an operator about a vault that reports 0 and still takes deposits: without `limits` it would count
 * as full forever; empty: nothing. A vault that is at its cap, or paused, takes no simulated deposit either.
 */
export async function unreportedLimits(
  chain: Chain,
  strategy: Strategy,
  { deposits }: Pick<Rates, 'deposits'>,
): Promise<Pick<VenuesFileProblem, 'code' | 'message'>[]> {
  if (strategy.protocol !== 'erc4626' || strategy.params.limits !== undefined || deposits.state !== 'full') return []
  const room = await simulateDepositRoom(requireEvmChain(chain), strategy)
  if (room === undefined || room === 0n) return []
  const { vault } = strategy.params
  const message = `${vault} reports that it accepts no deposits, but accepts a simulated one; set limits to unreported`
  return [{ code: 'LIMITS_UNREPORTED', message }]
}
