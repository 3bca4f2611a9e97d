import { extendTransact, type Transact, type Tx } from '../database/index.ts'
import { Failure } from '../kernel/index.ts'
import type { Operation } from '../operations/index.ts'
import { readCapUsage } from './read-cap-usage.ts'

/**
 * Guards the organization's caps. Several wallets that are evaluated together each see the same headroom, so this
 * decorator checks the cap again in the transaction that plans the deployment, one transaction at a time per cap
 * (contract 10).
 *
 * Throws AMOUNT_OUT_OF_BOUNDS, and nothing is planned.
 */
export function enforceCap(transact: Transact<Operation>): Transact<Operation> {
  return extendTransact(transact, async (tx, operation: Operation) => {
    await requireWithinCap(tx, operation)
    return operation
  })
}

async function requireWithinCap(tx: Tx, { organizationId, strategyId, type, state }: Operation): Promise<void> {
  if (type !== 'SUPPLY' || state === 'REJECTED') return
  const cap = await tx
    .selectFrom('strategy_caps')
    .select('strategy_id')
    .where('organization_id', '=', organizationId)
    .where('strategy_id', '=', strategyId)
    .forUpdate()
    .executeTakeFirst()
  if (!cap) return
  const [found] = await readCapUsage(tx, organizationId, strategyId)
  if (!found || found.used <= found.limit) return
  throw new Failure('AMOUNT_OUT_OF_BOUNDS', { message: "The organization's share in the strategy is at its cap." })
}
