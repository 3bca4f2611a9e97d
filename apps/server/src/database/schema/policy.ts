import type { JsonColumn, Now } from './column-types.ts'

export interface PolicyTables {
  approval_policies: {
    organization_id: number
    version: number
    /** In the format of its time; policy/ decides whether it is still readable. */
    policy: JsonColumn<unknown>
    changed_by: number
    created_at: Now
  }
}
