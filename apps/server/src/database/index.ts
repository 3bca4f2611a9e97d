export { compactCounters, selectCount } from './counters.ts'
export { createSession } from './create-session.ts'
export { createDatabaseHealth, type DatabaseHealth, type DatabaseReport } from './database-health.ts'
export { deleteOldRows, type Retention } from './delete-old-rows.ts'
export { findRunningPostgres } from './embedded/find-running-postgres.ts'
export { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded/start-embedded-postgres.ts'
export {
  type EventPayload,
  emit,
  insertEventsSql,
  labelOfPersonalFields,
  type NewEvent,
  type OutboxEvent,
} from './emit.ts'
export { eraseEventFields } from './erase-event-fields.ts'
export { buildEventPayloads, type EventContextRow } from './event-payloads.ts'
export { listenToEventWrites } from './event-writes.ts'
export type { Database, Tx } from './handles.ts'
export { inTransaction } from './in-transaction.ts'
export { type DatabaseFacts, inspectDatabase } from './inspect-database.ts'
export { isDatabaseUnavailable } from './is-database-unavailable.ts'
export type { JobLease } from './lease-keeper.ts'
export { holdsLease, LeaseLostError } from './leased-database.ts'
export { listMigrations, type MigrationState } from './list-migrations.ts'
export { type Lockstep, type LockstepCall, runInLockstep } from './lockstep.ts'
export { makePartitions } from './make-partitions.ts'
export { migrate, migrationsApplied } from './migrate.ts'
export { type OpenDatabase, openDatabase } from './open-database.ts'
export { createPeriodicRunner, type JobReport, type PeriodicRunner, type WorkReport } from './periodic-runner.ts'
export { ERASED_COLUMNS, IMPERSONAL_COLUMNS, KEPT_COLUMNS, SWEPT_COLUMNS } from './personal-data.ts'
export { preparedQuery, runPrepared } from './prepared-query.ts'
export { createOutageReporter } from './report-outage.ts'
export { isInfrastructureFailure, runBatch, runItems, runSweep } from './run-items.ts'
export type * from './schema.ts'
export { listenToSteps, publishStep, recordStep, type Step, type StepListener } from './steps.ts'
export { extendTransact, type Transact, transactOn } from './transact.ts'
