import type { ErasureStep } from '../identity/index.ts'

/** Removes the organization's allow-list, whose labels may name people. */
export const DESTINATION_ERASURE: ErasureStep = {
  name: 'destinations',
  async erase(tx, { organizationId }) {
    const { numDeletedRows } = await tx
      .deleteFrom('destinations')
      .where('organization_id', '=', organizationId)
      .executeTakeFirst()
    return Number(numDeletedRows)
  },
}
