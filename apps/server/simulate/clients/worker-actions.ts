import { isDatabaseUnavailable, LeaseLostError } from '../../src/database/index.ts'
import { addMilliseconds, EVALUATION_CLAIM_MS } from '../../src/kernel/index.ts'
import { expireOverdue } from '../../src/operations/index.ts'
import { evaluateDueWallets } from '../../src/rebalancing/index.ts'
import { updateOperationalWallet } from '../../src/wallets/index.ts'
import { checkOutlived, claimedUntil, type OutlivedClaims, outlivedOf } from '../checks/outlived-claims.ts'
import type { Random } from '../random.ts'
import type { ServiceProcess } from '../service/service.ts'
import type { SimulationRun } from '../simulation-run.ts'
import { changeOf } from '../treasury/treasury.ts'
import { type TreasuryRun, treasuryOf } from '../treasury/treasury-of.ts'
import type { Action } from './action.ts'
import { SHARED_JOBS } from './shared-job-actions.ts'

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
  {
    name: 'a worker outlives its claims',
    weight: 3,
    async act(run, random) {
      if (!run.treasury) return
      await run.treasury.changeBuffer(random)
      const first = run.service.process
      run.pagesOverlap = true
      let outlived: OutlivedClaims | undefined
      await run.requests<unknown>([
        ['the first worker rebalances', () => evaluateDueWallets(first.parts)],
        [
          'another worker rebalances',
          async () => {
            outlived = await evaluateInstead(run, random)
          },
        ],
      ])
      await checkOutlived(run, outlived)
    },
  },
  SHARED_JOBS,
]

/**
 * Takes over after some turns of the first worker, and evaluates what that one claimed once its claims have lapsed. People
 * have changed their minds by then: on the same facts the second worker plans what the first one would, which an operation
 * under way refuses whatever the claims. Returns what the first one may no longer plan for.
 */
async function evaluateInstead(run: TreasuryRun, random: Random): Promise<OutlivedClaims> {
  await run.service.wait(random.between(1, 25))
  return run.service.takeOver(async () => {
    const { parts } = run.service
    // Against the settings with which they were planned.
    await run.checkPlans?.()
    const claimed = await claimedUntil(run, addMilliseconds(run.clock.now(), EVALUATION_CLAIM_MS))
    run.clock.advance(EVALUATION_CLAIM_MS + random.pick([1, 1_000, 60_000]))
    for (const wallet of await treasuryOf(run).wallets()) {
      if (!claimed.includes(wallet.opWalletId) || random.chance(0.2)) continue
      const { organizationId, opWalletId } = wallet
      const change = { organizationId, opWalletId, ...changeOf(wallet, random) }
      await whenAvailable(() => updateOperationalWallet(parts, change))
    }
    await whenAvailable(() => evaluateDueWallets(parts))
    await run.checkPlans?.()
    const outlived = await outlivedOf(run, claimed)
    run.record(`  the first worker outlived its claims on ${outlived.opWalletIds.join(', ') || 'nothing'}`)
    return outlived
  })
}

/** Tries until the database, which may be failing over, takes it: a change must not be left unseen by the next evaluation. */
async function whenAvailable(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work()
      return
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
    }
  }
}

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
