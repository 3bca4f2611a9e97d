import type { Generated } from 'kysely'
import type { Now, Optional } from './column-types.ts'

export interface SandboxTables {
  treasury_sends: {
    id: Generated<number>
    organization_id: number
    blockchain: string
    sender: string
    nonce: number
    purpose: string
    recipient: string
    token_address: Optional<string>
    amount: bigint
    /** Signed bytes, stored before they are sent. */
    raw: string
    tx_hash: string
    state: 'stored' | 'included' | 'failed'
    block_number: Optional<number>
    created_at: Now
  }
}
