import type { SealedColumn } from '../secrets/index.ts'
import { contentLabel } from './requests/change-request.ts'

/** The sealed values of this room. */
export const CHANGE_SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'change_requests',
    column: 'content',
    key: ['organization_id', 'id'],
    purpose: 'change requests',
    label: ({ organization_id, id }) => contentLabel(Number(organization_id), Number(id)),
  },
]
