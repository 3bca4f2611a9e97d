import { sql } from 'kysely'
import type { ErasureStep } from '../identity/index.ts'
import { ERASURE_ROWS_BATCH } from '../kernel/index.ts'

/** Destroys the labels of wallets that agents were to create, and the words of agents about failures, in batches. */
export const AGENT_ACTION_ERASURE: ErasureStep = {
  name: 'agent_actions',
  async erase(tx, { organizationId }) {
    const { numAffectedRows = 0n } = await sql`
      update agent_actions set payload = payload || '{"label": "[erased]"}', error = null
      where organization_id = ${organizationId} and id in (
        select id from agent_actions where organization_id = ${organizationId}
          and (payload ->> 'label' <> '[erased]' or error is not null)
        limit ${ERASURE_ROWS_BATCH})
    `.execute(tx)
    return Number(numAffectedRows)
  },
}
