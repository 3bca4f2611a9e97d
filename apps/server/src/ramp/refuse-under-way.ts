import type { Tx } from '../database/index.ts'
import { Failure } from '../kernel/index.ts'
import { ENDED } from './machine.ts'

/**
 * Keeps an organization that has money between a bank and a chain: nobody would hear what became of it. Error: CONFLICT
 * with `details.rampTransactionsUnderWay`.
 */
export async function refuseUnderWay(tx: Tx, organizationId: number): Promise<void> {
  const { underWay } = await tx
    .selectFrom('ramp_transactions')
    .select(({ fn }) => fn.countAll<number>().as('underWay'))
    .where('organization_id', '=', organizationId)
    .where('status', 'not in', ENDED)
    .executeTakeFirstOrThrow()
  if (underWay === 0) return
  throw new Failure('CONFLICT', {
    message: 'Money of the organization is on its way between a bank and a chain: wait until it has arrived.',
    details: { rampTransactionsUnderWay: underWay },
  })
}
