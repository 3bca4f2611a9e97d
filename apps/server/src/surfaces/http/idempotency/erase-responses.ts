import { sql } from 'kysely'
import type { ErasureStep } from '../../../identity/index.ts'
import { ERASURE_ROWS_BATCH } from '../../../kernel/index.ts'

/** Removes stored responses, which contain what was created. No key of the organization can repeat a request. */
export const RESPONSE_ERASURE: ErasureStep = {
  name: 'responses',
  async erase(tx, { organizationId }) {
    const { rows } = await sql`
      delete from idempotency_keys where organization_id = ${organizationId} and ctid in (
        select ctid from idempotency_keys where organization_id = ${organizationId} limit ${ERASURE_ROWS_BATCH}
      ) returning 1
    `.execute(tx)
    return rows.length
  },
}
