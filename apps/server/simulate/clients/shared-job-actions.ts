import { isDatabaseUnavailable } from '../../src/database/index.ts'
import { expireOverdue } from '../../src/operations/index.ts'
import { evaluateDueWallets } from '../../src/rebalancing/index.ts'
import { expectProgress, withinBackoffs } from '../checks/shared-jobs.ts'
import type { Random } from '../random.ts'
import { GOOD_NODES } from '../service/node.ts'
import type { ServiceProcess, SharingWorker } from '../service/service.ts'
import { type SharedJob, SharedJobs } from '../service/shared-jobs.ts'
import type { TreasuryRun } from '../treasury/treasury-of.ts'
import type { Action } from './action.ts'

const FOLLOW = 'follow the chain'
const EXPIRE = 'expire operations'
/** The time between two divisions of the jobs. */
const TURNS_MS = [20_000, 60_000] as const
/** The database fails over in less. */
const FAILOVER_MS = 600_000

const JOBS: readonly SharedJob[] = [
  {
    name: FOLLOW,
    group: 'chains',
    seconds: 2,
    async round(process, isFirst) {
      if (isFirst) process.beginLease()
      await process.round(new AbortController().signal)
    },
  },
  {
    name: EXPIRE,
    group: 'other',
    seconds: 1,
    async round({ parts }) {
      await expireOverdue(parts)
    },
  },
]

/** Workers whose nodes fail, one after the other: what stalls there rests there, and others go on with it. */
export const SHARED_JOBS: Action<TreasuryRun> = {
  name: 'workers lose their nodes in turn',
  weight: 1,
  async act(run, random) {
    const { faults } = run
    const drawn = { ...faults }
    // Only the nodes of workers that lost theirs fail here: everyone else can do the work.
    Object.assign(faults, GOOD_NODES)
    await run.request('workers share jobs', () => shareJobs(run, random))
    Object.assign(faults, drawn)
    run.service.restart()
  },
}

async function shareJobs(run: TreasuryRun, random: Random): Promise<void> {
  const workers = run.service.sharing(random.between(2, 3))
  const jobs = new SharedJobs(workers, JOBS)
  const reach = new Map<ServiceProcess, Date>()
  const cutOff = (isCutOff: (worker: SharingWorker) => boolean) => {
    for (const worker of workers) {
      const { process } = worker
      process.nodes.areAway = isCutOff(worker)
      if (process.nodes.areAway) reach.delete(process)
      else if (!reach.has(process)) reach.set(process, run.clock.now())
    }
  }
  const turn = () => takeTurn(run, random, { jobs, began, reach })
  const began = run.clock.now()
  for (let left = random.between(1, 4); left > 0; left -= 1) {
    cutOff(() => random.chance(0.6))
    for (let turns = random.between(1, 8); turns > 0; turns -= 1) await turn()
  }
  // In the end only one can follow, and rather one that rests than the one that holds the job.
  const others = workers.filter(({ process }) => process !== jobs.holderOf(FOLLOW))
  const healthy = others.find(({ backoff }) => backoff.at(run.clock.now()).includes(FOLLOW)) ?? random.pick(others)!
  cutOff((worker) => worker !== healthy)
  run.record(`  only worker ${healthy.process.number} reaches the chain`)
  while (jobs.holderOf(FOLLOW) !== healthy.process || !(jobs.progressOf(FOLLOW)! >= reach.get(healthy.process)!))
    await turn()
}

interface Shared {
  readonly jobs: SharedJobs
  readonly began: Date
  /** Since when a process reaches the chain; absent: it does not. */
  readonly reach: ReadonlyMap<ServiceProcess, Date>
}

/** Time passes, jobs go where they should, each has a round, and some processes rebalance. */
async function takeTurn(run: TreasuryRun, random: Random, { jobs, began, reach }: Shared): Promise<void> {
  run.clock.advance(random.pick(TURNS_MS))
  if (random.chance(0.2)) run.mineToFinal()
  const now = run.clock.now()
  for (const moved of jobs.divide(now)) run.record(`  ${moved}`)
  await jobs.runRounds(now)
  for (const { process } of jobs.workers) if (random.chance(0.2)) await rebalanceOn(run, process)
  const since = [...reach.values()].sort((one, other) => one.getTime() - other.getTime())
  const withinMs = withinBackoffs(jobs.workers, Math.max(...TURNS_MS))
  expectProgress(jobs, { job: FOLLOW, possibleSince: since[0], withinMs }, now)
  expectProgress(jobs, { job: EXPIRE, possibleSince: began, withinMs: FAILOVER_MS }, now)
}

async function rebalanceOn(run: TreasuryRun, { parts }: ServiceProcess): Promise<void> {
  try {
    await evaluateDueWallets(parts)
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
  }
  await run.checkPlans?.()
}
