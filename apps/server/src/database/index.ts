export { ERASED_COLUMNS, IMPERSONAL_COLUMNS, KEPT_COLUMNS, SWEPT_COLUMNS } from './catalog/personal-data.ts'
export { isStandbyAwaited } from './connections/connection-plan.ts'
export { createSession } from './connections/create-session.ts'
export { LIFT_STATEMENT_TIMEOUT } from './connections/durable-client.ts'
export { isDatabaseUnavailable, isRefusedSession, isStorageFault } from './connections/is-database-unavailable.ts'
export { isTimeout } from './connections/is-timeout.ts'
export { type OpenDatabase, openDatabase } from './connections/open-database.ts'
export { createOutageReporter } from './connections/report-outage.ts'
export { packagedBinaries } from './embedded/binaries.ts'
export { findRunningPostgres } from './embedded/find-running-postgres.ts'
export { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded/start-embedded-postgres.ts'
export type { Database, Tx } from './handles.ts'
export { createDatabaseHealth, type DatabaseHealth, type DatabaseReport } from './health/database-health.ts'
export { type DatabaseFacts, inspectDatabase } from './health/inspect-database.ts'
export type { JobLease } from './leases/lease-keeper.ts'
export { createPeriodicRunner } from './leases/periodic-runner.ts'
export type { PeriodicRunner } from './leases/periodic-work.ts'
export type { JobReport, WorkReport } from './leases/work-report.ts'
export { listMigrations, type MigrationState } from './migrating/list-migrations.ts'
export { makePartitions } from './migrating/make-partitions.ts'
export { migrate } from './migrating/migrate.ts'
export { migrationsApplied } from './migrating/migrations-applied.ts'
export {
  type EventPayload,
  emit,
  insertEventsSql,
  labelOfPersonalFields,
  type NewEvent,
  type OutboxEvent,
} from './outbox/emit.ts'
export { eraseEventFields } from './outbox/erase-event-fields.ts'
export { buildEventPayloads, type EventContextRow } from './outbox/event-payloads.ts'
export { listenToEventWrites } from './outbox/event-writes.ts'
export { type BatchedCall, batchedEffect, type CallBatcher, runBatched, unbatched } from './queries/batched-calls.ts'
export { compactCounters, selectCount } from './queries/counters.ts'
export { inTransaction } from './queries/in-transaction.ts'
export { isUniqueViolation } from './queries/is-unique-violation.ts'
export { holdsLease, LeaseLostError } from './queries/leased-database.ts'
export {
  listenToMilestones,
  type Milestone,
  type MilestoneListener,
  publishMilestone,
  recordMilestone,
} from './queries/milestones.ts'
export { preparedQuery, runPrepared } from './queries/prepared-query.ts'
export { beginningWith, containing } from './queries/text-patterns.ts'
export { extendTransact, type Transact, transactOn } from './queries/transact.ts'
export type * from './schema.ts'
export { deleteOldRows, type Retention } from './upkeep/delete-old-rows.ts'
export { isInfrastructureFailure, isSharedFailure, runBatch, runItems, runSweep } from './upkeep/run-items.ts'
