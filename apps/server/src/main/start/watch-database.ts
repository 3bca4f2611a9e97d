import {
  createDatabaseHealth,
  type Database,
  type DatabaseHealth,
  type DatabaseReport,
  isStandbyAwaited,
} from '../../database/index.ts'
import {
  type Clock,
  type ClockComparison,
  createClockComparison,
  createOutageLog,
  DATABASE_CHECK_INTERVAL_MS,
  type Log,
} from '../../kernel/index.ts'

export interface DatabaseWatch {
  readonly health: DatabaseHealth
  /** Compares the clock of this process with the database's, at each check at least. */
  readonly clocks: ClockComparison
  /** Whether an acknowledged write would rest on one node, though the settings or the server demand standbys, or it had one. */
  restsOnOneNode(report: DatabaseReport): boolean
  /** For `GET /ready`, by name. */
  readonly checks: Readonly<Record<string, () => Promise<boolean>>>
  /** What an operator must know although the service is ready. */
  warnings(): Promise<readonly string[]>
  /**
   * Whether acknowledged writes would rest on fewer nodes than the settings demand, as of the last check, or would not be
   * acknowledged because the server waits for a standby.
   */
  refusesWrites(): boolean
  stop(): void
}

export interface DatabaseWatchOptions {
  readonly db: Database
  readonly log: Log
  /** The real clock of this process. */
  readonly clock: Clock
  /** DATABASE_SYNC_STANDBYS. */
  readonly demanded: number
  /** Whether commits wait for a standby that is missing; of this process's connections, except in tests. */
  readonly awaitsStandby?: () => boolean
  /** Without it, checks run when `/ready` or `/metrics` is read. */
  readonly isPeriodic: boolean
}

/** Checks the database from time to time, and judges the reports by the settings. */
export async function watchDatabase({
  db,
  log,
  clock,
  demanded,
  awaitsStandby = isStandbyAwaited,
  isPeriodic,
}: DatabaseWatchOptions): Promise<DatabaseWatch> {
  const clocks = createClockComparison({ clock, log })
  const health = createDatabaseHealth({ db, log, clock, clocks })
  let wasReplicated = true
  const outage = createOutageLog(log, {
    away: 'too few standbys: an acknowledged write would be on one node only',
    back: 'acknowledged writes are replicated again',
  })
  const check = async (): Promise<DatabaseReport> => {
    const report = await health.check()
    const isReplicated = report.isWritable ? hasStandbys(report, demanded) : wasReplicated && !awaitsStandby()
    const facts = { demanded, standbys: report.syncStandbys }
    if (isReplicated) outage.recovered(facts)
    else outage.failed(facts)
    wasReplicated = isReplicated
    return report
  }
  await check()
  const restsOnOneNode = (report: DatabaseReport) => report.isWritable && !hasStandbys(report, demanded)
  const timer = isPeriodic ? setInterval(() => void check(), DATABASE_CHECK_INTERVAL_MS).unref() : undefined
  return {
    health,
    clocks,
    restsOnOneNode,
    checks: {
      writes: async () => (await check()).isWritable,
      ...(demanded > 0 && {
        replication: async () => hasStandbys(await check(), demanded) && !awaitsStandby(),
      }),
    },
    async warnings() {
      const report = await check()
      return [
        ...(report.lostAt === undefined ? [] : ['acknowledged_writes_lost']),
        ...(restsOnOneNode(report) ? ['one_node'] : []),
        ...(clocks.agrees() ? [] : ['clock_differs']),
      ]
    },
    refusesWrites() {
      const { last } = health
      if (awaitsStandby()) return true
      return demanded > 0 && last !== undefined && restsOnOneNode(last)
    },
    stop: () => clearInterval(timer),
  }
}

/**
 * Whether enough standbys acknowledge commits. Without a demand, a server should have one if it waits for standbys, or had
 * one before: Patroni lets it wait for none once the last is lost. What the database user may not read counts as present.
 */
function hasStandbys({ isSynchronous, wasReplicated, syncStandbys }: DatabaseReport, demanded: number): boolean {
  if (demanded === 0) return isSynchronous ? syncStandbys !== 0 : !wasReplicated
  return isSynchronous && syncStandbys !== undefined && syncStandbys >= demanded
}
