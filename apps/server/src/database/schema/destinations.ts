import type { Generated } from 'kysely'
import type { Now } from './column-types.ts'

export interface DestinationsTables {
  destination_lists: { organization_id: number; enforced: boolean }
  destinations: {
    organization_id: number
    id: Generated<number>
    blockchain: string
    /** In the chain's canonical spelling. */
    address: string
    label: string
    created_by: number
    created_at: Now
  }
}
