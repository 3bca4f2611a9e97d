import { batchedEffect, type CallBatcher, emit, type Tx } from '../../database/index.ts'
import { type LedgerEntry, postings } from '../../ledger/index.ts'
import type { AllocationEventData } from './allocation-event-payloads.ts'
import type { Position } from './position.ts'

/** What a position lost because its share price fell, and what a movement of it cost. Base units, positive. */
export interface LossAndFee {
  readonly organizationId: number
  readonly walletId: number
  readonly strategyId: number
  readonly tokenAddress: string
  readonly allocationId: number
  /** After it. */
  readonly position: Position
  readonly loss: bigint
  readonly fee: bigint
  readonly operationId?: number
  readonly blockNumber: number
  /** Where the value was; `deployed` by default. */
  readonly account?: 'deployed' | 'exiting'
  /** Distinguishes this posting from every other one of the position. */
  readonly cause: string
  readonly at: Date
}

/** The ledger's entries: both reduce the position and what it yielded. None where nothing was lost. */
export function lossAndFeeEntries(lost: LossAndFee): LedgerEntry[] {
  const { organizationId, walletId, tokenAddress, allocationId, operationId, blockNumber, cause, at } = lost
  const account = lost.account ?? 'deployed'
  return (['loss', 'fee'] as const)
    .filter((kind) => lost[kind] > 0n)
    .map((kind) => ({
      organizationId,
      kind,
      source: `${kind}:${account}:${allocationId}:${cause}`,
      ...(operationId !== undefined && { operationId }),
      blockNumber,
      at,
      postings: postings(walletId, tokenAddress, { [account]: -lost[kind], yield: lost[kind] }),
    }))
}

/** Emits an event for each loss and each fee, in the transaction that posts them. */
export async function emitLossesAndFees(tx: Tx, all: readonly LossAndFee[]): Promise<void> {
  const events = all.flatMap((lost) => [
    ...(lost.loss > 0n ? [eventOf(lost, 'allocation.loss_booked', lost.loss)] : []),
    ...(lost.fee > 0n ? [eventOf(lost, 'allocation.fee_booked', lost.fee)] : []),
  ])
  if (events.length > 0) await emit(tx, events)
}

/** The batched form of {@link emitLossesAndFees}. */
export async function emitLossesAndFeesOf(calls: CallBatcher, all: readonly LossAndFee[]): Promise<void> {
  if (all.some(({ loss, fee }) => loss > 0n || fee > 0n)) await calls.call(EMIT_LOSSES, all)
}

const EMIT_LOSSES = batchedEffect<readonly LossAndFee[]>((tx, lost) => emitLossesAndFees(tx, lost.flat()))

function eventOf(lost: LossAndFee, event: 'allocation.loss_booked' | 'allocation.fee_booked', amount: bigint) {
  const { organizationId, allocationId, walletId, strategyId, position, at } = lost
  const data: AllocationEventData = {
    allocationId,
    walletId,
    strategyId,
    principal: position.principal.toString(),
    realizedYield: position.realizedYield.toString(),
    amount: amount.toString(),
  }
  return { organizationId, event, objectType: 'allocation' as const, objectId: allocationId, data, at }
}
