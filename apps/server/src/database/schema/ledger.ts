import type { Generated } from 'kysely'
import type { Now, Optional, WithDefault } from './column-types.ts'

export type LedgerAccount = 'available' | 'reserved' | 'deployed' | 'exiting' | 'yield' | 'external'

export interface LedgerTables {
  ledger_entries: {
    organization_id: number
    id: Generated<number>
    /** What happened: reserve, release, supply, unwind, yield, loss, and so on. */
    kind: string
    /** Unique: what was posted once cannot be posted again. */
    source: string
    operation_id: Optional<number>
    /** The final block of the event; null if no block caused it. */
    block_number: Optional<number>
    created_at: Now
  }
  ledger_postings: {
    organization_id: number
    entry_id: number
    wallet_id: number
    token_address: string
    /** An account of the wallet and token. */
    account: LedgerAccount
    /** In base units; the postings of an entry sum to zero. */
    amount: bigint
  }
  ledger_balances: {
    organization_id: number
    wallet_id: number
    token_address: string
    /** On the wallet, and free, in base units. */
    available: WithDefault<bigint>
    /** On the wallet, and needed by unfinished operations, in base units. */
    reserved: WithDefault<bigint>
    /** In strategies at the posted value, in base units. */
    deployed: WithDefault<bigint>
    /** Requested back from strategies and not claimed. */
    exiting: WithDefault<bigint>
    /** The other side of what positions earned: negative after a gain. */
    yield: WithDefault<bigint>
    /** The other side of what came and went outside of operations. */
    external: WithDefault<bigint>
  }
  ledger_breaks: {
    organization_id: number
    id: Generated<number>
    wallet_id: number
    token_address: string
    /** The difference in base units: what the ledger has more than the chain. */
    amount: bigint
    /** What was compared; `balance` is the only one. */
    reason: string
    /** The block at which it was last measured. */
    block_number: Optional<number>
    /** When the difference was found. */
    opened_at: Now
    /** Null until ledger and chain agree again. */
    closed_at: Optional<Date>
    /** When a person accepted the difference; null, like the next three, until then and after it grew. */
    accepted_at: Optional<Date>
    /** The user who accepted it. */
    accepted_by: Optional<number>
    /** The amount that was accepted: above it, the break is open again. */
    accepted_amount: Optional<bigint>
    /** Why, in the words of that person. */
    accepted_reason: Optional<string>
  }
}
