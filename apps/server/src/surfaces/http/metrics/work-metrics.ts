import { Gauge, type Registry } from 'prom-client'
import type { WorkReport } from '../../../database/index.ts'

/** Gauges of the periodic work of this process. The sum of `weir_job_held` over all processes is 1 for each job. */
export function registerWorkMetrics(register: Registry, report: () => WorkReport): void {
  const gauge = (name: string, help: string, collect: (gauge: Gauge<'job'>) => void) =>
    new Gauge({
      name,
      help,
      labelNames: ['job'] as const,
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

  gauge('weir_job_held', 'Periodic jobs that this process runs.', (held) => {
    for (const { job } of own()) held.set({ job }, 1)
  })
  gauge(
    'weir_job_progress_age_seconds',
    'How long ago a job of this process last made progress: a round ended well, or a block was settled.',
    (age) => {
      for (const { job, at, since } of own())
        age.set({ job }, Math.max(0, (Date.now() - (at ? Date.parse(at) : since.getTime())) / 1_000))
    },
  )
  gauge('weir_chain_blocks_behind', 'Final blocks that this process has not settled yet.', (behind) => {
    for (const { job, blocksBehind } of own()) if (blocksBehind !== undefined) behind.set({ job }, blocksBehind)
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
