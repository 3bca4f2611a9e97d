import { type Transact, transactOn } from '../database/index.ts'
import { Failure } from '../kernel/index.ts'
import { scheduleEvaluation } from '../wallets/index.ts'
import { readAwaited } from './awaited/read-awaited.ts'
import { advanceAwaited } from './awaited/write-awaited.ts'
import type { WithdrawTarget } from './find-withdraw-target.ts'
import type { RebalanceParts } from './parts.ts'

/**
 * Ends an awaited withdrawal: nothing more is fetched. What an operation already withdraws continues. Error: CONFLICT if the
 * position awaits none.
 */
export async function cancelAwaited(
  parts: Pick<RebalanceParts, 'db' | 'clock'>,
  target: WithdrawTarget,
  transact: Transact<void> = transactOn(parts.db),
): Promise<void> {
  const { organizationId, walletId } = target
  return transact(async (tx) => {
    const at = parts.clock.now()
    const awaited = (await readAwaited(tx, organizationId, [target]))(target)
    const place = awaited && { organizationId, awaitedId: awaited.awaitedId }
    if (!place || !(await advanceAwaited(tx, place, 'cancelled', at)))
      throw new Failure('CONFLICT', { message: 'The position awaits no withdrawal.' })
    // What is above the buffer may be deployed there again.
    await scheduleEvaluation(tx, [{ organizationId, walletId }], at)
  })
}
