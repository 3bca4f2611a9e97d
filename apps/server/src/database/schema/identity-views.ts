import type { Generated } from 'kysely'
import type { Now } from './column-types.ts'

export interface SavedViewsTables {
  saved_views: {
    organization_id: number
    id: Generated<number>
    name: string
    /** The path of a page of the dashboard. */
    path: string
    /** The part of its address behind the question mark. */
    query: string
    /** Whether all members of the organization see it. */
    is_shared: boolean
    /** The owner, even if it is shared. */
    created_by: number
    created_at: Now
    updated_at: Date
  }
}
