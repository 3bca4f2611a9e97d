import type { Tx } from '../database/index.ts'
import { Failure } from '../kernel/index.ts'
import type { Operation } from '../operations/index.ts'
import { readCapUsage } from './read-cap-usage.ts'

/**
 * Judges a deployment that the allocator chose by the organization's cap again, in the transaction that plans it and
 * one at a time for each cap: several wallets that were looked at together each saw the same room (contract 10).
 *
 * Error: AMOUNT_OUT_OF_BOUNDS; nothing is planned then.
 */
export async function enforceCap(tx: Tx, { organizationId, strategyId, type, state }: Operation): Promise<void> {
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
