import { sql } from 'kysely'
import type { ErasureStep } from '../../identity/index.ts'
import { ERASURE_ROWS_BATCH } from '../../kernel/index.ts'
import type { ChangeParts } from '../parts.ts'
import { expireChangeRequest } from './expire-change-requests.ts'
import { lockChangeRequest } from './lock-change-request.ts'

/** Destroys what approvers read of the organization's change requests. Open ones expire: nobody is left to approve. */
export function changeRequestErasure(parts: Pick<ChangeParts, 'sealer'>): ErasureStep {
  return {
    name: 'change_requests',
    async erase(tx, { organizationId, at }) {
      const open = await tx
        .selectFrom('change_requests')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('ended_at', 'is', null)
        .execute()
      for (const { id } of open) {
        const request = await lockChangeRequest(tx, parts, { organizationId, changeRequestId: id })
        await expireChangeRequest(tx, request, at)
      }
      const { rows } = await sql`
        update change_requests set content = ''::bytea where organization_id = ${organizationId} and id in (
          select id from change_requests where organization_id = ${organizationId} and length(content) > 0
          limit ${ERASURE_ROWS_BATCH}
        ) returning 1
      `.execute(tx)
      return rows.length
    },
  }
}
