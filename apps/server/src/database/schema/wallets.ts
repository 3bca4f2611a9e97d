import type { Generated } from 'kysely'
import type { JsonOrNull, Now, Optional, WithDefault } from './column-types.ts'
import type { AuditActorType } from './identity-audit.ts'

/** How an evaluation of an operational wallet ended. */
export type EvaluationOutcome =
  | 'in order'
  | 'planned'
  | 'waiting'
  | 'refused'
  | 'replaced'
  | 'paused'
  | 'unseen'
  | 'failed'

export interface WalletsTables {
  wallets: {
    organization_id: number
    id: Generated<number>
    wallet_profile_id: number
    blockchain: string
    address: string
    /** What the client calls the owner. */
    user_id: Optional<string>
    /** What the client stored with it. */
    org_metadata: JsonOrNull<Record<string, unknown>>
    label: Optional<string>
    /** Who keeps the wallet's keys, as the organization says. */
    custody_provider: Optional<string>
    /** When it was imported or created on core; null: registered on v1. */
    imported_at: Optional<Date>
    /** The block that the ledger was last compared with; null asks for a comparison. */
    reconciled_block: Optional<number>
    created_at: Now
    /** Null: created by an earlier version. */
    created_by_type: Optional<AuditActorType>
    created_by_id: Optional<number>
  }
  operational_wallets: {
    organization_id: number
    id: Generated<number>
    wallet_id: number
    token_address: string
    /** Whether the rebalancer may deploy what exceeds the buffer. */
    enable_yield: boolean
    /** What stays liquid. */
    buffer_amount: bigint
    /** What the organization stored with it. */
    metadata: JsonOrNull<Record<string, unknown>>
    /** When the rebalancer evaluates the wallet; null: when something schedules it. */
    due_at: Optional<Date>
    /** How often in a row nothing could be planned. */
    rebalance_failures: WithDefault<number>
    /** The outcome of the last evaluation; null: none, or one of an earlier version. */
    last_outcome: Optional<EvaluationOutcome>
    /** What the last evaluation found, for people. */
    last_evaluation: JsonOrNull<{ at: string; outcome: EvaluationOutcome; text: string }>
    /** Since when evaluations find less than its buffer; null: the last one found enough. */
    short_since: Optional<Date>
    created_at: Now
    /** Null: created by an earlier version. */
    created_by_type: Optional<AuditActorType>
    created_by_id: Optional<number>
    updated_at: Date
  }
}
