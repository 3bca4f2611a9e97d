import { addMilliseconds, Failure } from '../kernel/index.ts'
import type { OperationalWallet } from '../wallets/index.ts'
import { pausedUntil } from './exclusions/backoff.ts'
import { excludedStrategiesOf } from './exclusions/excluded-strategies.ts'
import type { RebalanceParts } from './parts.ts'
import { type PlannerInput, planMoves, type RebalancePlan } from './planner/planner.ts'
import { plannerInputOf } from './snapshot/planner-input.ts'
import { readSnapshot } from './snapshot/read-snapshot.ts'
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
  const [stored] = await readWalletStates(
    parts.db,
    [opWallet.opWalletId],
    addMilliseconds(now, -parts.rebalancing.withdrawHoldMs),
  )
  if (!stored) throw new Failure('WALLET_NOT_FOUND')
  const facts: WalletState = {
    ...stored,
    activeOperation: undefined,
    opWallet: { ...opWallet, buffer: buffer ?? opWallet.buffer, enableYield: enableYield ?? opWallet.enableYield },
  }
  const seen = await readSnapshot(parts, [facts], 'all')
  const market = seen.marketOf(facts)
  const onChain = seen.balanceOf(facts)
  if (!market || onChain === undefined) throw new Failure('CHAIN_UNAVAILABLE')
  const free = onChain > facts.reserved ? onChain - facts.reserved : 0n
  const found = {
    wallet: facts,
    market,
    onChain: free,
    headrooms: seen.headroomOf(facts),
    holdings: seen.positionsOf(facts),
    exits: seen.exitsOf(facts),
    excluded: excludedStrategiesOf(stored, now),
    stopped: seen.stoppedFor(facts),
  }
  const input = plannerInputOf(found, parts.rebalancing)
  const planned = planMoves(input)
  const [move] = planned.moves
  const isChanged = facts.opWallet.buffer !== opWallet.buffer || facts.opWallet.enableYield !== opWallet.enableYield
  return {
    ...planned,
    input,
    blockedByOperationId: stored.activeOperation?.operationId,
    pausedUntil: isChanged || !move ? undefined : pausedUntil(stored, move.type, market.fingerprint, now),
  }
}
