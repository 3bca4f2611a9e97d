import { setDepositLimits } from '../../src/rebalancing/index.ts'
import { strategiesOnChain } from '../../src/venues/index.ts'
import { type TreasuryRun, treasuryOf } from './treasury-of.ts'

/** Whether the treasury's own deposits may go to vaults that pay later. */
export async function nameStrategies(run: TreasuryRun, areAllowed: boolean): Promise<void> {
  const { organizationId } = treasuryOf(run)
  const strategies = await strategiesOnChain(run.database.db, 'polygon')
  const allowedStrategies = areAllowed ? strategies.map(({ id }) => id) : null
  const limits = { caps: [], poolShareBps: null, liquidityShareBps: null, allowedStrategies }
  await run.request(`${areAllowed ? 'allow' : 'avoid'} vaults that pay later`, () =>
    setDepositLimits(run.service.parts, { organizationId, limits }),
  )
}
