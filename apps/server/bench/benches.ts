import type { BenchEnvironment } from './bench-environment.ts'
import type { Comparison } from './compare.ts'

/**
 * All benchmarks by their name in `npm run bench`. docs/benchmarks.md says what each measures. Each loads its code when it
 * runs, because the help only needs the names.
 */
export const BENCHES: Readonly<Record<string, (workplace: BenchEnvironment) => Promise<Comparison[]>>> = {
  'get-operation': async (workplace) => (await import('./get-operation.ts')).getOperationBench(workplace),
  'plan-supply': async (workplace) => (await import('./plan-supply.ts')).planSupplyBench(workplace),
  confirm: async (workplace) => (await import('./confirm.ts')).confirmBench(workplace),
  workers: async (workplace) => (await import('./workers.ts')).workersBench(workplace),
  'following-solana': async (workplace) => (await import('./following-solana.ts')).followingSolanaBench(workplace),
  lists: async (workplace) => (await import('./lists.ts')).listsBench(workplace),
  rebalance: async (workplace) => (await import('./rebalance.ts')).rebalanceBench(workplace),
  neighbour: async (workplace) => (await import('./neighbour.ts')).neighbourBench(workplace),
  poll: async (workplace) => (await import('./poll.ts')).pollBench(workplace),
  year: async (workplace) => (await import('./year.ts')).yearBench(workplace),
  growth: async (workplace) => (await import('./growth.ts')).growthBench(workplace),
  webhooks: async (workplace) => (await import('./webhooks.ts')).webhooksBench(workplace),
  idle: async (workplace) => (await import('./idle.ts')).idleBench(workplace),
}
