import { type ExitView, exitAt } from '../../allocations/index.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { exitStepOf, type Operation } from '../lifecycle/states/operation.ts'

/**
 * The exit that a request opened or joined, or that a claim paid from, as it is now: requests of one wallet in one
 * strategy add up, so it may hold more than the operation requested. `undefined`: the operation is no part of an exit,
 * or not carried out yet. Only parts of exits cost statements.
 */
export async function exitOfOperation({ db }: Pick<Parts, 'db'>, operation: Operation): Promise<ExitView | undefined> {
  const { organizationId, operationId, walletId, strategyId } = operation
  const step = exitStepOf(operation)
  if (operation.state !== 'COMPLETED' || step === undefined) return undefined
  const landed = await db
    .selectFrom('transactions')
    .select('included_at')
    .where('organization_id', '=', organizationId)
    .where('operation_id', '=', operationId)
    .where('kind', 'in', ['exit_request', 'exit_claim'])
    .executeTakeFirst()
  const at = landed?.included_at
  if (!at) return undefined
  const side = step === 'claim' ? 'ending' : 'beginning'
  return exitAt(db, { organizationId, walletProfileId: null }, { walletId, strategyId, at, side })
}
