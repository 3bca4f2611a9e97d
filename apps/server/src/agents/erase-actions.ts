import { sql } from 'kysely'
import type { ErasureStep } from '../identity/index.ts'

/** Destroys the labels of wallets that agents were to create, and the words of agents about failures. */
export const AGENT_ACTION_ERASURE: ErasureStep = {
  name: 'agent_actions',
  async erase(tx, { organizationId }) {
    const { numUpdatedRows } = await tx
      .updateTable('agent_actions')
      .set({ payload: sql`payload || '{"label": "[erased]"}'`, error: null })
      .where('organization_id', '=', organizationId)
      .where(sql<boolean>`(payload ->> 'label' <> '[erased]' or error is not null)`)
      .executeTakeFirst()
    return Number(numUpdatedRows)
  },
}
