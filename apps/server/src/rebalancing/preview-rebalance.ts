import { addMilliseconds, Failure } from '../kernel/index.ts'
import type { OperationalWallet } from '../wallets/index.ts'
import { endOf } from './awaited/end-awaited.ts'
import { chooseMove } from './choose-move.ts'
import type { RebalanceParts } from './parts.ts'
import type { PlannerInput, RebalancePlan } from './planner/rebalance-plan.ts'
import { baseUnitsOf } from './settings.ts'
import { readSnapshot } from './snapshot/read-snapshot.ts'
import { decimalsOf } from './state/read-market.ts'
import { readWalletStates, type WalletState } from './state/read-wallet-states.ts'

/** Hypothetical settings of a wallet; what is absent keeps its current value. */
export interface PreviewInput {
  readonly opWallet: OperationalWallet
  /** Base units. */
  readonly buffer?: bigint | undefined
  readonly enableYield?: boolean | undefined
}

export interface RebalancePreviewResult extends RebalancePlan {
  readonly input: PlannerInput
  /** Until then at the latest, what was withdrawn on request is not deployed; undefined if nothing is held. */
  readonly heldUntil: Date | undefined
  /** The operation of the wallet that has to end first. */
  readonly blockedByOperationId: number | undefined
  /** Until then the rebalancer does not plan the move, because the last one was rejected or failed. */
  readonly pausedUntil: Date | undefined
}

/**
 * Computes what the rebalancer would move, from where to where, and why. Changes nothing (contract 10). Errors:
 * WALLET_NOT_FOUND, CHAIN_UNAVAILABLE.
 */
export async function previewRebalance(
  parts: RebalanceParts,
  { opWallet, buffer, enableYield }: PreviewInput,
): Promise<RebalancePreviewResult> {
  const now = parts.clock.now()
  const { withdrawHoldMs } = parts.rebalancing
  const [stored] = await readWalletStates(parts.db, [opWallet], { now, withdrawHoldMs })
  if (!stored) throw new Failure('WALLET_NOT_FOUND')
  const isChanged =
    (buffer ?? opWallet.buffer) !== opWallet.buffer || (enableYield ?? opWallet.enableYield) !== opWallet.enableYield
  const wallet: WalletState = {
    ...stored,
    activeOperation: undefined,
    opWallet: {
      ...opWallet,
      buffer: buffer ?? opWallet.buffer,
      enableYield: enableYield ?? opWallet.enableYield,
      updatedAt: isChanged ? now : stored.opWallet.updatedAt,
    },
  }
  const seen = await readSnapshot(parts, [wallet], 'all')
  const market = seen.marketOf(wallet)
  const onChain = seen.balanceOf(wallet)
  if (!market || onChain === undefined) throw new Failure('CHAIN_UNAVAILABLE')
  const holdings = seen.positionsOf(wallet)
  const dust = baseUnitsOf(parts.rebalancing.dust, decimalsOf(market))
  const found = {
    wallet: { ...wallet, awaited: wallet.awaited.filter((one) => endOf(one, { holdings, dust }) === undefined) },
    market,
    onChain: onChain > wallet.reserved ? onChain - wallet.reserved : 0n,
    headrooms: seen.headroomOf(wallet),
    holdings,
    exits: seen.exitsOf(wallet),
    stopped: seen.stoppedFor(wallet),
  }
  const { plan, input, move, pauses } = chooseMove(found, parts.rebalancing, { now })
  return {
    ...plan,
    input,
    heldUntil: stored.onHold > 0n && stored.heldFrom ? addMilliseconds(stored.heldFrom, withdrawHoldMs) : undefined,
    blockedByOperationId: stored.activeOperation?.operationId,
    pausedUntil: move ? undefined : pauses[0]?.until,
  }
}
