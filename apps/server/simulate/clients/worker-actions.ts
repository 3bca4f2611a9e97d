import { LeaseLostError } from '../../src/database/index.ts'
import { expireOverdue } from '../../src/operations/index.ts'
import { evaluateDueWallets } from '../../src/rebalancing/index.ts'
import type { Random } from '../random.ts'
import type { ServiceProcess } from '../service/service.ts'
import type { SimulationRun } from '../simulation-run.ts'
import type { TreasuryRun } from '../treasury/treasury-of.ts'
import type { Action } from './action.ts'

/**
 * What happens to processes that share one database, where a seed has several. A process that has not followed yet holds
 * no lease, and would take it.
 */
export const WORKERS: readonly Action<TreasuryRun>[] = [
  {
    name: 'a worker hangs and comes back',
    weight: 3,
    async act(run, random) {
      const first = run.service.process
      if (!first.hasFollowed) return
      run.pagesOverlap = true
      await run.requests<unknown>([
        ['the first worker follows', () => untilReplaced(run, first)],
        ['expire', () => expireOverdue(first.parts)],
        ['rebalance', () => evaluateDueWallets(first.parts)],
        ['another worker follows', () => followInstead(run, random)],
      ])
      await run.checkPlans?.()
    },
  },
  {
    name: 'a worker that was cut off follows on',
    weight: 2,
    async act(run, random) {
      const first = run.service.process
      if (!first.hasFollowed) return
      await run.request('another worker follows', () => followInstead(run, random))
      await run.checkPlans?.()
      if (run.service.process === first) return
      await run.request('the first worker follows', () => untilReplaced(run, first))
    },
  },
]

/** Takes over after some turns of the first worker, then follows and rebalances while the chain goes on. */
async function followInstead(run: TreasuryRun, random: Random): Promise<void> {
  await run.service.wait(random.between(0, 25))
  const rounds = random.between(1, 3)
  await run.service.takeOver(async () => {
    for (let round = 0; round < rounds; round += 1) {
      await run.service.round(new AbortController().signal)
      await evaluateDueWallets(run.service.parts)
      // Against the chain as it was when they were planned.
      await run.checkPlans?.()
      run.mineToFinal()
    }
  })
}

/** A worker that was replaced meanwhile notices it before it writes. */
async function untilReplaced(run: SimulationRun, first: ServiceProcess): Promise<void> {
  try {
    await first.round(new AbortController().signal)
  } catch (error) {
    if (!(error instanceof LeaseLostError)) throw error
    run.record('  the first worker was replaced')
  }
}
