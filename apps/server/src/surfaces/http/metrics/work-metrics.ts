import { Counter, Gauge, type Registry } from 'prom-client'
import type { WorkReport } from '../../../database/index.ts'
import type { GasRunway } from '../../../rebalancing/index.ts'

/** The periodic work of this process. */
interface Work {
  report(): WorkReport
  gasRunway(): readonly GasRunway[]
  /** Rows that this process deleted because of their age, by table. */
  readonly deletedRows: ReadonlyMap<string, number>
}

/** Metrics of the periodic work of this process. The sum of `weir_job_held` over all processes is 1 for each job. */
export function registerWorkMetrics(register: Registry, { report, gasRunway, deletedRows }: Work): void {
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    collect: (gauge: Gauge<Label>) => void,
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [register],
      collect() {
        this.reset()
        collect(this)
      },
    })
  const own = () => {
    const { workerId, jobs } = report()
    return jobs.filter((job) => job.workerId === workerId)
  }

  gauge(
    'weir_job_held',
    'Periodic jobs of this process: 1 while it holds one, 0 while another should.',
    ['job'],
    (held) => {
      // A job without a holder must stay visible: a series that ends looks like a job that was removed.
      for (const job of report().offered) held.set({ job }, 0)
      for (const { job } of own()) held.set({ job }, 1)
    },
  )
  gauge(
    'weir_job_progress_age_seconds',
    'How long ago a job of this process last made progress: a round succeeded, or a block was settled.',
    ['job'],
    (age) => {
      for (const { job, at, since } of [...own(), ...report().shared])
        age.set({ job }, Math.max(0, (Date.now() - (at ? Date.parse(at) : since.getTime())) / 1_000))
    },
  )
  gauge(
    'weir_job_stalled_seconds',
    'How long a job of this process has made no progress, once that is longer than its period and a minute.',
    ['job'],
    (stalled) => {
      for (const { job, seconds } of report().stalled) stalled.set({ job }, seconds)
    },
  )
  gauge(
    'weir_job_resting',
    'Jobs that stalled in this process. For some minutes it runs one that can move only if no other process can.',
    ['job'],
    (resting) => {
      for (const job of report().resting) resting.set({ job }, 1)
    },
  )
  gauge(
    'weir_chain_blocks_behind',
    'Final blocks that this process has not settled yet.',
    ['job', 'blockchain'],
    (behind) => {
      for (const { job, blocksBehind } of own())
        if (blocksBehind !== undefined) behind.set({ job, blockchain: job.replace('follow ', '') }, blocksBehind)
    },
  )
  gauge(
    'weir_chain_head_age_seconds',
    'Age of the latest block that the nodes of a chain report, as the process that follows it sees it.',
    ['job', 'blockchain'],
    (age) => {
      for (const { job, latestBlockAt } of own())
        if (latestBlockAt)
          age.set(
            { job, blockchain: job.replace('follow ', '') },
            Math.max(0, (Date.now() - Date.parse(latestBlockAt)) / 1_000),
          )
    },
  )
  gauge(
    'weir_gas_runway_transactions',
    'Transactions that the operational wallet with the least gas can still pay for.',
    ['blockchain'],
    (runway) => {
      for (const { blockchain, transactions } of gasRunway()) runway.set({ blockchain }, transactions)
    },
  )
  new Counter({
    name: 'weir_old_rows_deleted_total',
    help: 'Rows that this process deleted because of their age, by table.',
    labelNames: ['table'] as const,
    registers: [register],
    collect() {
      this.reset()
      for (const [table, rows] of deletedRows) this.inc({ table }, rows)
    },
  })
  new Gauge({
    name: 'weir_lease_age_seconds',
    help: 'How long ago this process last renewed its leases, which expire after 8 seconds.',
    registers: [register],
    collect() {
      const { renewedMs } = report()
      this.set(Number.isFinite(renewedMs) ? renewedMs / 1_000 : Number.NaN)
    },
  })
}
