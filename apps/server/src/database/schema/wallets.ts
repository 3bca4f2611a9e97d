import type { Generated } from 'kysely'
import type { JsonOrNull, Now, Optional, WithDefault } from './column-types.ts'
import type { AuditActorType } from './identity.ts'

export interface WalletsTables {
  wallets: {
    organization_id: number
    id: Generated<number>
    wallet_profile_id: number
    blockchain: string
    address: string
    user_id: Optional<string>
    org_metadata: JsonOrNull<Record<string, unknown>>
    label: Optional<string>
    /** Who keeps the wallet's keys, as the organization says. */
    custody_provider: Optional<string>
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
    enable_yield: boolean
    /** What stays liquid. */
    buffer_amount: bigint
    metadata: JsonOrNull<Record<string, unknown>>
    /** When the rebalancer evaluates the wallet; null: when something schedules it. */
    due_at: Optional<Date>
    /** How often in a row nothing could be planned. */
    rebalance_failures: WithDefault<number>
    /** The outcome of the last evaluation, for people. */
    last_evaluation: JsonOrNull<{ at: string; outcome: string; text: string }>
    /** Since when evaluations find less than its buffer; null: the last one found enough. */
    short_since: Optional<Date>
    created_at: Now
    /** Null: created by an earlier version. */
    created_by_type: Optional<AuditActorType>
    created_by_id: Optional<number>
    updated_at: Date
  }
}
