import { expect } from 'vitest'
import {
  cancelOperation,
  type Operation,
  recoverTransaction,
  type SubmissionResult,
  submitHash,
} from '../../src/operations/index.ts'
import { USDC } from '../units.ts'
import { type EngineInUse, useEngine } from './use-engine.ts'

/** Reports a hash through one of the two verbs that accept one. */
export type ReportHash = (
  operation: { operationId: number },
  txHash: string,
  transactionId?: number,
) => Promise<SubmissionResult>

export interface ReportedHashes {
  readonly use: EngineInUse
  readonly submitHash: ReportHash
  readonly recover: ReportHash
  cancel(operation: Operation): Promise<Operation>
  /** A plan whose approval is final and whose supply waits. */
  approvedPlan(amount?: bigint): Promise<Operation>
  /** The follower passes all mined blocks without matching this operation, as after a reset past it. */
  settleUnmatched(operation: Operation, andThen?: () => Promise<unknown>): Promise<void>
}

/** An engine for tests of hashes that clients report. */
export function useReportedHashes(): ReportedHashes {
  const use = useEngine()
  const input = ({ operationId }: { operationId: number }, txHash: string, transactionId?: number) => ({
    scope: use.client.scope,
    operationId,
    txHash,
    transactionId,
  })
  const watch = ({ operationId }: Operation, canStillLand: boolean) =>
    use.engine.db
      .updateTable('transactions')
      .set({ can_still_land: canStillLand })
      .where('operation_id', '=', operationId)
      .where('finalized_at', 'is', null)
      .execute()
  return {
    use,
    submitHash: (...named) => submitHash(use.engine.parts, input(...named)),
    recover: (...named) => recoverTransaction(use.engine.parts, input(...named)),
    cancel: ({ operationId }) => cancelOperation(use.engine.parts, use.client.scope, operationId),
    async approvedPlan(amount = 100n * USDC) {
      const plan = await use.client.supply(amount)
      await use.client.submit(plan, await use.client.sign(plan.transactions[0]!))
      await use.engine.settle()
      return use.client.operation(plan)
    },
    async settleUnmatched(operation, andThen) {
      await watch(operation, false)
      await use.engine.settle()
      await andThen?.()
      await watch(operation, true)
    },
  }
}

let hashCount = 0
/** A hash that no chain has. */
export function unknownHash(): string {
  hashCount += 1
  return `0x${hashCount.toString(16).padStart(64, 'a')}`
}

export const expectRefused = (code: string) => expect.objectContaining({ code })
export const idOf = (operation: Operation, position: number) => operation.transactions[position]!.transactionId
