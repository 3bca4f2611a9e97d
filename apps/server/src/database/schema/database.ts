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
  /** The time of the latest block that a node reported. */
  readonly latestBlockAt?: string
}

export interface DatabaseTables {
  outbox: {
    organization_id: number
    id: Generated<number>
    /** The name of the event. */
    event: string
    /** What the event is about; `object_id` is its id. */
    object_type: string
    object_id: number
    /** What the event says, in base units and without names; the public body follows from it. */
    data: JsonColumn<Record<string, unknown>>
    /** Sealed: the personal fields of `data`, which has null in their place. */
    personal: Optional<Buffer>
    created_at: Now
    /** When it got its position and its public body. */
    relayed_at: Optional<Date>
    /** The event's place in the order of all events; null until it is relayed. */
    position: Optional<number>
    /** `{event, timestamp, data}` exactly as delivered, byte for byte. */
    body: Optional<string>
    /** The profile of the event's wallet; null if no wallet is involved. */
    wallet_profile_id: Optional<number>
  }
  /** One row. */
  database_history: {
    /** Always true: there is one row. */
    id: WithDefault<boolean>
    /** The cluster and its timeline: `7241…/0000000A`. */
    place: Optional<string>
    /** Counts the places that served this database; each begins a new range of ids. */
    epoch: WithDefault<number>
    /** Counts up while the service runs. A process that remembers a higher one knows that writes were lost. */
    beat: WithDefault<number>
    /** When a process noticed that acknowledged writes are gone. */
    lost_at: Optional<Date>
    /** A later place that processes came from when they noticed the loss; null after a loss that a beat showed. */
    left_place: Optional<string>
    /** Whether a standby has ever acknowledged commits, until an operator resets it. */
    was_replicated: WithDefault<boolean>
  }
  migration_steps: {
    migration: string
    step: number
    /** When the step took effect. */
    applied_at: WithDefault<Date>
  }
  counters: {
    organization_id: number
    wallet_profile_id: number
    /** The list that is counted. */
    entity: 'operations' | 'wallets' | 'allocations'
    /** What the list can be filtered by: the type of operations, the chain of wallets, the token of allocations. */
    kind: string
    /** The state of what is counted. */
    state: string
    /** A change of the count; the sum of all rows is the count. */
    amount: number
  }
  operation_sums: {
    organization_id: number
    strategy_id: number
    /** The type of the operations. */
    type: OperationType
    /** How many completed. */
    completed: number
    /** What they moved, in base units. */
    moved: bigint
    /** How long they took together, from plan to completion. */
    milliseconds: number
  }
  workers: {
    /** Also the key of the advisory lock that its connection holds. */
    id: Generated<number>
    /** The host and the process id. */
    name: string
    /** When the process joined. */
    started_at: Date
    /** By the clock of the database. */
    expires_at: Date
    /** The leased jobs that it can run, with their groups. */
    jobs: JsonColumn<Record<string, string>>
    /** What it last reported of the jobs that it holds. */
    progress: JsonColumn<Record<string, JobProgress>>
    /** The jobs that it leaves to others, because they made no progress here. Null: a process of an earlier version. */
    resting: string[] | null
  }
  job_leases: {
    /** The name of the periodic job. */
    job: string
    /** Null: nobody holds it. */
    worker_id: number | null
    /** Counts the holders: a transaction under an older token fails. */
    token: number
    /** When its holder got it. */
    since: Date
  }
}
