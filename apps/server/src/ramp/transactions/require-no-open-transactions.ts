import type { Tx } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { TERMINAL_RAMP_STATUSES } from './ramp-transaction-states.ts'

/**
 * Prevents the deletion of an organization with money in transit between a bank and a chain, because nobody would learn
 * its outcome. Error: CONFLICT with `details.rampTransactionsUnderWay`.
 */
export async function requireNoOpenRampTransactions(tx: Tx, organizationId: number): Promise<void> {
  const { underWay } = await tx
    .selectFrom('ramp_transactions')
    .select(({ fn }) => fn.countAll<number>().as('underWay'))
    .where('organization_id', '=', organizationId)
    .where('status', 'not in', TERMINAL_RAMP_STATUSES)
    .executeTakeFirstOrThrow()
  if (underWay === 0) return
  throw new Failure('CONFLICT', {
    message: 'Money of the organization is in transit between a bank and a chain. Wait until it has arrived.',
    details: { rampTransactionsUnderWay: underWay },
  })
}
