import { emit, type Tx } from '../../database/index.ts'
import { kybPath } from '../customers/kyb-states.ts'
import type { OnboardingEvent } from '../provider/port.ts'
import type { ApplyEventParts, ProviderEventOutcome } from './outcome.ts'

/** Applies a verification event of the provider. The only code that changes a started verification. */
export async function applyOnboardingEvent(
  { clock }: ApplyEventParts,
  tx: Tx,
  event: OnboardingEvent,
): Promise<ProviderEventOutcome> {
  const row = await tx
    .selectFrom('ramp_customers')
    .selectAll()
    .where('kyb_reference', '=', event.subject)
    .forUpdate()
    .executeTakeFirst()
  // Events of an earlier attempt are obsolete.
  if (!row) return 'unknown'
  if (event.sequence <= row.kyb_sequence) return 'overtaken'
  const path = kybPath(row.kyb_status, event.status)
  if (!path) return 'contradicts'
  await tx
    .updateTable('ramp_customers')
    .set({ kyb_status: event.status, kyb_sequence: event.sequence })
    .where('organization_id', '=', row.organization_id)
    .where('id', '=', row.id)
    .execute()
  for (const { emits } of path) {
    if (!emits) continue
    const data = { customer_id: row.kind === 'recipient' ? row.id : null, name: row.name }
    const at = clock.now()
    await emit(tx, [
      {
        organizationId: row.organization_id,
        event: emits,
        objectType: 'customer',
        objectId: row.id,
        data,
        at,
      },
    ])
  }
  return 'applied'
}
