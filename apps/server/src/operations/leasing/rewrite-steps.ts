import { callToJson } from '../../chains/index.ts'
import { inTransaction } from '../../database/index.ts'
import type { PlanStep } from '../../venues/index.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { lockOperation } from '../lifecycle/reads/lock-operation.ts'
import { insertTransactions } from '../lifecycle/records/insert-transactions.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { dequeueAgentWork, enqueueAgentWork } from '../lifecycle/transitions/advance-agent-work.ts'

/**
 * Replaces the token approvals of an operation after the allowance changed, provided that none of its bytes were ever
 * issued and nobody had to approve it (rule 9 and 10). The queue restarts with the first step.
 */
export async function rewriteSteps(parts: Parts, read: Operation, steps: readonly PlanStep[]): Promise<void> {
  await inTransaction(parts.db, async (tx) => {
    const at = parts.clock.now()
    const { organizationId, operationId } = read
    const operation = await lockOperation(tx, { organizationId, walletProfileId: null }, operationId)
    const isUntouched = operation.transactions.every(({ state }) => state === 'planned')
    const main = operation.transactions.at(-1)!
    if (operation.state !== 'EXECUTING' || !isUntouched || steps.at(-1)?.kind !== main.kind) return
    await dequeueAgentWork(tx, operation)
    await tx
      .deleteFrom('transactions')
      .where('organization_id', '=', organizationId)
      .where('operation_id', '=', operationId)
      .where('id', '<>', main.transactionId)
      .execute()
    await tx
      .updateTable('transactions')
      .set({ position: steps.length - 1, call: callToJson(steps.at(-1)!.call) })
      .where('organization_id', '=', organizationId)
      .where('id', '=', main.transactionId)
      .execute()
    const approvals = steps.slice(0, -1)
    const { blockchain, sender } = main
    await insertTransactions(
      organizationId,
      operationId,
      approvals.map((step, position) => ({ ...step, transactionId: null, position, blockchain, sender, bytes: null })),
    ).execute(tx)
    await enqueueAgentWork(tx, operation, at)
  })
}
