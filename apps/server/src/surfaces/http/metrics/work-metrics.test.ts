import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import type { WorkReport } from '../../../database/index.ts'
import { registerWorkMetrics } from './work-metrics.ts'

test('a process reports the jobs that it holds, and how long those that stall have stalled', async () => {
  const since = new Date()
  const job = (name: string, workerId: number) => ({ job: name, workerId, worker: `host ${workerId}`, since })
  const report: WorkReport = {
    workerId: 1,
    jobs: [
      { ...job('follow base', 1), latestBlockAt: new Date(since.getTime() - 90_000).toISOString() },
      job('fold tallies', 1),
      job('expire operations', 2),
    ],
    shared: [
      { job: 'rebalance', since, at: new Date(since.getTime() - 90_000).toISOString() },
      { job: 'deliver mail', since: new Date(since.getTime() - 10_000) },
    ],
    offered: ['follow base', 'expire operations', 'follow solana'],
    stalled: [{ job: 'fold tallies', seconds: 71, failure: 'TypeError' }],
    resting: ['follow solana'],
    renewedMs: 1_500,
  }
  const register = new Registry()
  registerWorkMetrics(register, { report: () => report, gasRunway: () => [], deletedRows: new Map() })
  const text = await register.metrics()
  expect(text.match(/^weir_job_held.*$/gm)).toEqual([
    'weir_job_held{job="follow base"} 1',
    'weir_job_held{job="expire operations"} 0',
    'weir_job_held{job="follow solana"} 0',
    'weir_job_held{job="fold tallies"} 1',
  ])
  // Each worker runs these: none holds them.
  expect(text).toMatch(/^weir_job_progress_age_seconds\{job="rebalance"\} 9\d/m)
  expect(text).toMatch(/^weir_job_progress_age_seconds\{job="deliver mail"\} 1\d/m)
  expect(text.match(/^weir_job_stalled_seconds.*$/gm)).toEqual(['weir_job_stalled_seconds{job="fold tallies"} 71'])
  expect(text.match(/^weir_job_resting.*$/gm)).toEqual(['weir_job_resting{job="follow solana"} 1'])
  expect(text).toMatch(/^weir_chain_head_age_seconds\{job="follow base",blockchain="base"\} 9\d(?:\.\d+)?$/m)
  expect(text).toContain('weir_lease_age_seconds 1.5\n')
})
