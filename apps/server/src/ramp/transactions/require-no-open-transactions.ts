import type { Tx } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { TERMINAL_RAMP_STATUSES } from './ramp-transaction-states.ts'

/**
 * Keeps an organization that has money between a bank and a chain: nobody would hear what became of it. Error: CONFLICT
 * with `details.rampTransactionsUnderWay`.
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
    message: 'Money of the organization is on its way between a bank and a chain: wait until it has arrived.',
    details: { rampTransactionsUnderWay: underWay },
  })
}
