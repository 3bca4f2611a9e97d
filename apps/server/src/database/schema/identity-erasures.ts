import type { ColumnType } from 'kysely'
import type { Optional } from './column-types.ts'

export interface ErasuresTables {
  organization_erasures: {
    organization_id: number
    /** When the erasure was requested. */
    requested_at: Date
    /** Null: the operator requested it, or its age. */
    receipt_hash: Optional<Buffer>
    /** The step that runs next; null before the first and after the last. */
    step: Optional<string>
    /** Rows that lost personal data, by step. */
    erased: ColumnType<Record<string, number>, string | undefined, string>
    /** Why it waits. */
    waits_for: Optional<string>
    /** When the last step ended; null while it runs. */
    finished_at: Optional<Date>
  }
}
