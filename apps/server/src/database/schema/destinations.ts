import type { Generated } from 'kysely'
import type { Now } from './column-types.ts'

export interface DestinationsTables {
  destination_lists: {
    organization_id: number
    /** Whether tokens may be sent to listed addresses only. */
    enforced: boolean
  }
  destinations: {
    organization_id: number
    id: Generated<number>
    blockchain: string
    /** In the chain's canonical spelling. */
    address: string
    label: string
    /** The user who added it. */
    created_by: number
    created_at: Now
  }
}
