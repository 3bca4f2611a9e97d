import type { Database, DatabaseHealth, WorkReport } from '../../apps/server/src/database/index.ts'
import type { SecurityEventRecorder } from '../../apps/server/src/identity/index.ts'
import {
  countUnreadable,
  HttpMetrics,
  registerDatabaseMetrics,
  registerWorkMetrics,
} from '../../apps/server/src/surfaces/http/index.ts'
import { countSecurityEvents } from '../../apps/server/src/surfaces/http/metrics/count-security-events.ts'

export interface DescribedMetric {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary'
  readonly help: string
  readonly labels: readonly string[]
}

/** Every metric that a process with `ROLE=all` has, in the order of their names. Nothing is read or measured. */
export function describedMetrics(): DescribedMetric[] {
  const metrics = new HttpMetrics({} as Database)
  registerDatabaseMetrics(metrics.registry, {
    health: {} as DatabaseHealth,
    clocks: { differenceMs: () => undefined },
    restsOnOneNode: () => false,
  })
  const work = { report: () => ({}) as WorkReport, gasRunway: () => [], deletedRows: new Map() }
  registerWorkMetrics(metrics.registry, work)
  countUnreadable({ found: new Map(), report() {} }, metrics.registry)
  countSecurityEvents({} as SecurityEventRecorder, metrics.registry)
  return metrics.registry
    .getMetricsAsArray()
    .map((metric) => {
      // The labels of a metric are not in its declared type.
      const { name, help, type, labelNames = [] } = metric as typeof metric & { readonly labelNames?: string[] }
      return { name, help, type: String(type) as DescribedMetric['type'], labels: labelNames }
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** The names of the series of a metric: a histogram has three. */
export function seriesOf({ name, type }: DescribedMetric): string[] {
  return type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]
}
