import type { BenchEnvironment } from './bench-environment.ts'
import type { Comparison } from './compare.ts'
import { confirmBench } from './confirm.ts'
import { getOperationBench } from './get-operation.ts'
import { listsBench } from './lists.ts'
import { planSupplyBench } from './plan-supply.ts'
import { pollBench } from './poll.ts'
import { rebalanceBench } from './rebalance.ts'
import { webhooksBench } from './webhooks.ts'

/** All benchmarks by their name in `npm run bench`. docs/benchmarks.md says what each measures. */
export const BENCHES: Readonly<Record<string, (workplace: BenchEnvironment) => Promise<Comparison[]>>> = {
  'get-operation': getOperationBench,
  'plan-supply': planSupplyBench,
  confirm: confirmBench,
  lists: listsBench,
  rebalance: rebalanceBench,
  poll: pollBench,
  webhooks: webhooksBench,
}
