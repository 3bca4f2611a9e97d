import type { Generated } from 'kysely'
import type { Now, Optional, WithDefault } from './column-types.ts'

export type LedgerAccount = 'available' | 'reserved' | 'deployed' | 'exiting' | 'yield' | 'external'

export interface LedgerTables {
  ledger_entries: {
    organization_id: number
    id: Generated<number>
    kind: string
    /** Unique: what was posted once cannot be posted again. */
    source: string
    operation_id: Optional<number>
    block_number: Optional<number>
    created_at: Now
  }
  ledger_postings: {
    organization_id: number
    entry_id: number
    wallet_id: number
    token_address: string
    account: LedgerAccount
    amount: bigint
  }
  ledger_balances: {
    organization_id: number
    wallet_id: number
    token_address: string
    available: WithDefault<bigint>
    reserved: WithDefault<bigint>
    deployed: WithDefault<bigint>
    /** Requested back from strategies and not claimed. */
    exiting: WithDefault<bigint>
    yield: WithDefault<bigint>
    /** The other side of what came and went outside of operations. */
    external: WithDefault<bigint>
  }
  ledger_breaks: {
    organization_id: number
    id: Generated<number>
    wallet_id: number
    token_address: string
    amount: bigint
    reason: string
    block_number: Optional<number>
    opened_at: Now
    /** Null until ledger and chain agree again. */
    closed_at: Optional<Date>
    /** When a person accepted the difference; null, like the next three, until then and after it grew. */
    accepted_at: Optional<Date>
    /** The user who accepted it. */
    accepted_by: Optional<number>
    /** The amount that was accepted: above it, the break is open again. */
    accepted_amount: Optional<bigint>
    accepted_reason: Optional<string>
  }
}
