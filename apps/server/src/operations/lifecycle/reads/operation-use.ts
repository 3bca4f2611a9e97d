import { sql } from 'kysely'
import type { QuotaUse } from '../../../identity/index.ts'
import { UNFINISHED_STATES } from './read-operations.ts'

/** Unfinished operations, from the totals that lists are maintained with. */
export const pendingOperationUse: QuotaUse = (organizationId) => sql<number>`
  select coalesce(sum(amount), 0) from counters where organization_id = ${organizationId} and entity = 'operations'
    and state in (${sql.join(UNFINISHED_STATES)})`
