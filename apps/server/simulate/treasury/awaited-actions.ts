import { cancelAwaited, findWithdrawTarget, withdrawPartly } from '../../src/rebalancing/index.ts'
import type { Action } from '../clients/action.ts'
import { pickPosition } from './people-actions.ts'
import { type TreasuryRun, treasuryOf } from './treasury-of.ts'

/** People withdraw what a market can pay now, and wait for the rest or give it up. */
export const AWAITED: readonly Action<TreasuryRun>[] = [
  {
    name: 'request a withdrawal in parts',
    weight: 6,
    async act(run, random) {
      const { organizationId, requester } = treasuryOf(run)
      const position = await pickPosition(run, random)
      if (!position) return
      const { allocationId, value } = position
      const amount = random.chance(0.4) ? null : random.part(value, 1, 105)
      await run.request(`withdraw ${amount ?? 'all'} of allocation ${allocationId} in parts`, async () => {
        const target = await findWithdrawTarget(run.service.parts, { organizationId, allocationId })
        await withdrawPartly(run.service.parts, { target, amount, requestedBy: requester })
      })
    },
  },
  {
    name: 'cancel an awaited withdrawal',
    weight: 2,
    async act(run, random) {
      const { organizationId } = treasuryOf(run)
      const position = await pickPosition(run, random)
      if (!position) return
      const { allocationId } = position
      await run.request(`cancel what is awaited of allocation ${allocationId}`, async () => {
        await cancelAwaited(
          run.service.parts,
          await findWithdrawTarget(run.service.parts, { organizationId, allocationId }),
        )
      })
    },
  },
]
