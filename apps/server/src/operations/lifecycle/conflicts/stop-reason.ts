import { stoppedStrategies } from '../../../breakers/index.ts'
import type { Tx } from '../../../database/index.ts'
import type { Parts } from '../parts.ts'
import type { Operation } from '../states/operation.ts'

/**
 * Why Weir must not make this deployment of its own now, as a sentence: a circuit breaker of the strategy stops it, or the
 * organization's caps and limits do, or a withdrawal that is awaited there. `undefined`: it may, or people requested it, or
 * it is no deployment.
 *
 * The caller that is about to issue bytes has locked the operational wallet, which an opening breaker and a change of
 * limits make due: they commit before, and are seen, or find the bytes issued.
 */
export async function stopReason(
  { limitReason }: Pick<Parts, 'limitReason'>,
  tx: Tx,
  operation: Operation,
): Promise<string | undefined> {
  const { type, origin, organizationId, strategyId } = operation
  if (type !== 'SUPPLY' || origin !== 'rebalancer') return undefined
  const stopped = (await stoppedStrategies(tx, organizationId)).get(strategyId)
  const reason = stopped?.reason ?? (await limitReason?.(tx, operation))
  return reason && `The strategy accepts no deposits now: ${reason}.`
}
