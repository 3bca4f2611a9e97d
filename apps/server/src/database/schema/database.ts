import type { Generated } from 'kysely'
import type { JsonColumn, Now, Optional, WithDefault } from './column-types.ts'
import type { OperationType } from './operations.ts'

/** Dates are ISO 8601. */
export interface JobProgress {
  /** The end of the last round that ended well, or a later sign of progress. */
  readonly at?: string
  /** The code or name of the error that the last round failed with. */
  readonly failure?: string
  /** Final blocks that are not settled. */
  readonly blocksBehind?: number
}

export interface DatabaseTables {
  outbox: {
    organization_id: number
    id: Generated<number>
    event: string
    object_type: string
    object_id: number
    data: JsonColumn<Record<string, unknown>>
    /** Sealed: the personal fields of `data`, which has null in their place. */
    personal: Optional<Buffer>
    created_at: Now
    /** When it got its position and its public body. */
    relayed_at: Optional<Date>
    position: Optional<number>
    /** `{event, timestamp, data}` exactly as delivered, byte for byte. */
    body: Optional<string>
    /** The profile of the event's wallet; null if no wallet is involved. */
    wallet_profile_id: Optional<number>
  }
  /** One row. */
  database_history: {
    id: WithDefault<boolean>
    /** The cluster and its timeline: `7241…/0000000A`. */
    place: Optional<string>
    epoch: WithDefault<number>
    beat: WithDefault<number>
    /** When a process noticed that acknowledged writes are gone. */
    lost_at: Optional<Date>
  }
  migration_steps: {
    migration: string
    step: number
    applied_at: WithDefault<Date>
  }
  counters: {
    organization_id: number
    wallet_profile_id: number
    entity: 'operations' | 'wallets' | 'allocations'
    kind: string
    state: string
    amount: number
  }
  operation_sums: {
    organization_id: number
    strategy_id: number
    type: OperationType
    completed: number
    moved: bigint
    milliseconds: number
  }
  workers: {
    /** Also the key of the advisory lock that its connection holds. */
    id: Generated<number>
    /** The host and the process id. */
    name: string
    started_at: Date
    /** By the clock of the database. */
    expires_at: Date
    /** The leased jobs that it can run, with their groups. */
    jobs: JsonColumn<Record<string, string>>
    /** What it last reported of the jobs that it holds. */
    progress: JsonColumn<Record<string, JobProgress>>
  }
  job_leases: {
    job: string
    /** Null: nobody holds it. */
    worker_id: number | null
    /** Counts the holders: a transaction under an older token fails. */
    token: number
    since: Date
  }
}
