import { sql } from 'kysely'
import type { ErasureStep } from '../../identity/index.ts'

/** Where an erased webhook points; the name never resolves (RFC 2606). */
const ERASED_URL = 'https://erased.invalid/'

/** Destroys addresses, descriptions and secrets of the organization's webhooks, and what receivers responded. */
export const WEBHOOK_ERASURE: ErasureStep = {
  name: 'webhooks',
  async erase(tx, { organizationId, at }) {
    await tx.deleteFrom('webhook_old_secrets').where('organization_id', '=', organizationId).execute()
    const webhooks = await tx
      .updateTable('webhooks')
      .set((column) => ({
        url: ERASED_URL,
        description: null,
        secret: Buffer.alloc(0),
        previous_secret: null,
        due_at: null,
        deleted_at: column.fn.coalesce('deleted_at', column.val(at)),
        updated_at: at,
      }))
      .where('organization_id', '=', organizationId)
      // A URL alone is no mark: somebody may have chosen this one. No webhook in use has an empty secret.
      .where((where) => where.or([where('url', '<>', ERASED_URL), where('secret', '<>', Buffer.alloc(0))]))
      .executeTakeFirst()
    const deliveries = await tx
      .updateTable('webhook_deliveries')
      .set({ attempts: sql`'[]'` })
      .where('organization_id', '=', organizationId)
      .where(sql<boolean>`attempts <> '[]'`)
      .executeTakeFirst()
    return Number(webhooks.numUpdatedRows + deliveries.numUpdatedRows)
  },
}
