import { maxAmount } from '../kernel/index.ts'
import type { EvaluationResult } from '../wallets/index.ts'
import type { RebalanceParts } from './parts.ts'
import type { StrategyPosition } from './planner/payable-positions.ts'
import type { RebalancePlan } from './planner/rebalance-plan.ts'
import { baseUnitsOf } from './settings.ts'
import type { RebalanceSnapshot } from './snapshot/read-snapshot.ts'
import { decimalsOf } from './state/read-market.ts'
import type { WalletState } from './state/read-wallet-states.ts'

/** A shortfall that no position can ever cover is not the rebalancer's to restore. */
export function bufferStateOf(
  {
    dust,
    holdings,
    exits,
  }: {
    readonly dust: bigint
    readonly holdings: readonly Pick<StrategyPosition, 'value'>[]
    readonly exits: readonly unknown[]
  },
  { shortfall }: Pick<RebalancePlan, 'shortfall'>,
): 'full' | 'short' | 'unfunded' {
  if (shortfall === 0n || shortfall < dust) return 'full'
  return exits.length > 0 || holdings.some(({ value }) => value > 0n) ? 'short' : 'unfunded'
}

/** The same while an operation of the wallet has to end first: the alert about a short buffer must not wait for it. */
export function waitingBufferState(
  parts: RebalanceParts,
  wallet: WalletState,
  { seen, onChain }: { readonly seen: RebalanceSnapshot; readonly onChain: bigint },
): EvaluationResult['buffer'] {
  const market = seen.marketOf(wallet)
  if (!market) return undefined
  const shortfall = maxAmount(wallet.opWallet.buffer - onChain, 0n)
  const dust = baseUnitsOf(parts.rebalancing.dust, decimalsOf(market))
  return bufferStateOf({ dust, holdings: seen.positionsOf(wallet), exits: seen.exitsOf(wallet) }, { shortfall })
}
