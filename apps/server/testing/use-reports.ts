import { expect } from 'vitest'
import { cancelOperation, type Operation, recover, type Submitted, submitHash } from '../src/operations/index.ts'
import { USDC } from './main-job.ts'
import { type MainJobInUse, useMainJob } from './use-main-job.ts'

/** Reports a hash by one of the two verbs that take one. */
export type Report = (operation: { operationId: number }, txHash: string, transactionId?: number) => Promise<Submitted>

export interface Reports {
  readonly use: MainJobInUse
  readonly submit: Report
  readonly recovered: Report
  cancel(operation: Operation): Promise<Operation>
  /** A plan whose approval is final, and whose supply waits. */
  approved(amount?: bigint): Promise<Operation>
  /** The follower passes all that was mined without seeing this operation, as when following begins anew behind it. */
  passUnseen(operation: Operation): Promise<void>
}

/** The main job for tests of hashes that clients report. */
export function useReports(): Reports {
  const use = useMainJob()
  const input = ({ operationId }: { operationId: number }, txHash: string, transactionId?: number) => ({
    sight: use.client.sight,
    operationId,
    txHash,
    transactionId,
  })
  const watch = ({ operationId }: Operation, watched: boolean) =>
    use.job.db
      .updateTable('transactions')
      .set({ watched })
      .where('operation_id', '=', operationId)
      .where('finalized_at', 'is', null)
      .execute()
  return {
    use,
    submit: (...named) => submitHash(use.job.parts, input(...named)),
    recovered: (...named) => recover(use.job.parts, input(...named)),
    cancel: ({ operationId }) => cancelOperation(use.job.parts, use.client.sight, operationId),
    async approved(amount = 100n * USDC) {
      const plan = await use.client.supply(amount)
      await use.client.submit(plan, await use.client.sign(plan.transactions[0]!))
      await use.job.settle()
      return use.client.operation(plan)
    },
    async passUnseen(operation) {
      await watch(operation, false)
      await use.job.settle()
      await watch(operation, true)
    },
  }
}

let drawn = 0
/** A hash that no chain knows. */
export function unknownHash(): string {
  drawn += 1
  return `0x${drawn.toString(16).padStart(64, 'a')}`
}

export const refused = (code: string) => expect.objectContaining({ code })
export const idOf = (operation: Operation, position: number) => operation.transactions[position]!.transactionId
export const supplyOf = ({ transactions }: Operation) => transactions.at(-1)!
