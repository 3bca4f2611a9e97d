import type { Generated } from 'kysely'
import type { Now, Optional } from './column-types.ts'

export type TreasurySendState = 'stored' | 'included' | 'failed'

export interface SandboxTables {
  treasury_sends: {
    id: Generated<number>
    organization_id: number
    blockchain: string
    sender: string
    nonce: number
    /** faucet, gas, delivery, deposit, return or return_gas. */
    purpose: string
    recipient: string
    token_address: Optional<string>
    /** In base units of the token, or of the native coin. */
    amount: bigint
    /** Signed bytes, stored before they are sent. */
    raw: string
    tx_hash: string
    /** Stored before it is sent, then included or failed. */
    state: TreasurySendState
    block_number: Optional<number>
    created_at: Now
  }
}
