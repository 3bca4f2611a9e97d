import { emit, type Tx } from '../database/index.ts'
import { kybWay } from './kyb-machine.ts'
import type { OnboardingEvent } from './port.ts'
import type { Outcome, TakeParts } from './take-event.ts'

/** Moves a verification as the provider says. The only code that does, once it was begun. */
export async function takeOnboarding({ clock }: TakeParts, tx: Tx, event: OnboardingEvent): Promise<Outcome> {
  const row = await tx
    .selectFrom('ramp_customers')
    .selectAll()
    .where('kyb_reference', '=', event.subject)
    .forUpdate()
    .executeTakeFirst()
  // What is told of an earlier attempt is over.
  if (!row) return 'unknown'
  if (event.sequence <= row.kyb_sequence) return 'overtaken'
  const way = kybWay(row.kyb_status, event.status)
  if (!way) return 'contradicts'
  await tx
    .updateTable('ramp_customers')
    .set({ kyb_status: event.status, kyb_sequence: event.sequence })
    .where('organization_id', '=', row.organization_id)
    .where('id', '=', row.id)
    .execute()
  for (const { tells } of way) {
    if (!tells) continue
    const data = { customer_id: row.kind === 'recipient' ? row.id : null, name: row.name }
    const at = clock.now()
    await emit(tx, [
      {
        organizationId: row.organization_id,
        event: tells,
        objectType: 'customer',
        objectId: row.id,
        data,
        at,
      },
    ])
  }
  return 'applied'
}
