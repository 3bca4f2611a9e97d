/**
 * One step of a migration that runs while processes serve. It is recorded once it took effect, so a migration that was
 * interrupted resumes at the step that it had reached.
 */
export type MigrationStep = StatementStep | IndexStep | DropIndexStep | BoundStep | PartitionStep

/** One statement in a transaction of its own that waits at most seconds for its locks. */
export interface StatementStep {
  readonly kind: 'statement'
  readonly text: string
}

/** An index that is built while others write. PostgreSQL allows this outside transactions only. */
export interface IndexStep {
  readonly kind: 'index'
  readonly name: string
  readonly isUnique: boolean
  /** What follows `on`: the table, its columns and the condition. */
  readonly definition: string
}

/** An index that is dropped once no statement uses it, while others read and write. */
export interface DropIndexStep {
  readonly kind: 'drop index'
  readonly name: string
}

/** A constraint that proves where the existing rows end, so that the next step need not read them under its lock. */
export interface BoundStep {
  readonly kind: 'bound'
  readonly table: string
  /** A date that is never null, and part of the primary key. */
  readonly column: string
}

/** The table becomes partitioned in one short transaction, and the existing one becomes its first partition. */
export interface PartitionStep {
  readonly kind: 'partition'
  readonly table: string
  readonly column: string
}

/** DDL that needs no scan of a table: it holds its lock for milliseconds. It may run again after a crash. */
export const statement = (text: string): StatementStep => ({ kind: 'statement', text })

/** `definition` is what follows `on`: `outbox (relayed_at) where ...`. */
export const index = (name: string, definition: string): IndexStep => {
  return { kind: 'index', name, isUnique: false, definition }
}

/** `definition` is as of {@link index}. */
export const uniqueIndex = (name: string, definition: string): IndexStep => {
  return { kind: 'index', name, isUnique: true, definition }
}

export const dropIndex = (name: string): DropIndexStep => ({ kind: 'drop index', name })

/**
 * Makes a table one that is partitioned by month, while others read and write it. Its existing rows become one
 * partition, up to the end of the next month; database/migrating/make-partitions.ts makes the others.
 */
export const partitionByMonth = (table: string, column: string): readonly MigrationStep[] => [
  { kind: 'bound', table, column },
  { kind: 'partition', table, column },
]
