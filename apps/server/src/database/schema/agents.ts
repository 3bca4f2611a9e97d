import type { Generated } from 'kysely'
import type { JsonColumn, JsonOrNull, Now, Optional, WithDefault } from './column-types.ts'

export type AgentActionStatus = 'PENDING' | 'SUCCESS' | 'FAILED'

export interface AgentsTables {
  agent_actions: {
    organization_id: number
    id: Generated<number>
    /** CREATE_WALLET is the only one. */
    type: 'CREATE_WALLET'
    /** For CREATE_WALLET: the blockchain, and the label that the wallet gets. */
    payload: JsonColumn<Record<string, unknown>>
    /** A state of action-states.ts. */
    status: WithDefault<AgentActionStatus>
    /** SUCCESS only: the address of the new wallet, and the id of its key in the custody system. */
    result: JsonOrNull<{ readonly address: string; readonly signatureId?: string }>
    /** FAILED only: what the agent said. */
    error: Optional<string>
    /** SUCCESS only: the wallet that it created or found. */
    wallet_id: Optional<number>
    /** From when an agent may lease it; while it is leased, when the lease ends. */
    available_at: Date
    /** The token of the latest lease, which a report may name. */
    lease_token: Optional<string>
    /** When the latest lease began. */
    claimed_at: Optional<Date>
    /** How many leases it has had. */
    lease_count: WithDefault<number>
    created_at: Now
    /** When an agent reported; null while it is PENDING. */
    reported_at: Optional<Date>
  }
}
