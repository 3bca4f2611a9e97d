import type { Generated } from 'kysely'
import type { JsonColumn, JsonOrNull, Now, Optional, WithDefault } from './column-types.ts'

export type AgentActionStatus = 'PENDING' | 'SUCCESS' | 'FAILED'

export interface AgentsTables {
  agent_actions: {
    organization_id: number
    id: Generated<number>
    type: 'CREATE_WALLET'
    payload: JsonColumn<Record<string, unknown>>
    status: WithDefault<AgentActionStatus>
    /** SUCCESS only: the address of the new wallet, and the id of its key in the custody system. */
    result: JsonOrNull<{ readonly address: string; readonly signatureId?: string }>
    error: Optional<string>
    wallet_id: Optional<number>
    available_at: Date
    lease_token: Optional<string>
    claimed_at: Optional<Date>
    lease_count: WithDefault<number>
    created_at: Now
    reported_at: Optional<Date>
  }
}
