import { Gauge, type Registry } from 'prom-client'
import type { DatabaseHealth, DatabaseReport } from '../../../database/index.ts'
import type { ClockComparison } from '../../../kernel/index.ts'

interface WatchedDatabase {
  readonly health: DatabaseHealth
  readonly clocks: Pick<ClockComparison, 'differenceMs'>
  /** Whether an acknowledged write would rest on one node, as `/ready` says. */
  restsOnOneNode(report: DatabaseReport): boolean
}

/** Gauges of the database, from the last check; NaN where that is unknown. */
export function registerDatabaseMetrics(register: Registry, { health, clocks, restsOnOneNode }: WatchedDatabase): void {
  const gauge = (name: string, help: string, value: (report: DatabaseReport) => number | undefined) =>
    new Gauge({
      name,
      help,
      registers: [register],
      async collect() {
        this.set(value(await health.check()) ?? Number.NaN)
      },
    })
  gauge('weir_database_writable', '1 while the database acknowledges writes.', ({ isWritable }) => Number(isWritable))
  gauge(
    'weir_database_sync_standbys',
    'Standbys that acknowledge commits. NaN: unknown, the user lacks pg_read_all_stats.',
    ({ syncStandbys }) => syncStandbys,
  )
  gauge(
    'weir_database_one_node',
    '1 while an acknowledged write would rest on one node, though settings or server demand standbys or had one.',
    (report) => Number(restsOnOneNode(report)),
  )
  gauge(
    'weir_database_epoch',
    'How often the database moved to another cluster or timeline, or went back in time.',
    ({ epoch }) => epoch,
  )
  gauge(
    'weir_database_lost_writes',
    '1 after the database lost acknowledged writes, until an operator resets it.',
    ({ lostAt }) => Number(lostAt !== undefined),
  )
  gauge(
    'weir_clock_difference_seconds',
    "How far the clock of this process is certainly ahead of the database's; negative: behind. NaN: unknown.",
    () => (clocks.differenceMs() ?? Number.NaN) / 1_000,
  )
}
