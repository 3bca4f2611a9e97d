import type { Selectable } from 'kysely'
import { emit, type Schema, type Tx } from '../../database/index.ts'
import type { KybTransition } from './kyb-states.ts'

/** The only code that assigns the state of a verification, by the table in `kyb-states.ts`. */

/** The columns of a customer whose verification starts, or starts again: `attempt` counts from 1. */
export function startedVerification({ link, reference }: { link: string; reference: string }, attempt: number) {
  return {
    kyb_status: 'pending',
    kyb_link: link,
    kyb_reference: reference,
    kyb_attempt: attempt,
    kyb_sequence: 0,
  } as const
}

/** A report of the provider, with the transitions that lead to its status; none if it confirms the status. */
export interface VerificationMove {
  readonly path: readonly KybTransition[]
  /** The report's number in the provider's order. */
  readonly sequence: number
  readonly at: Date
}

/** Moves a started verification and emits its decisions. The caller has locked the row. */
export async function moveVerification(
  tx: Tx,
  row: Selectable<Schema['ramp_customers']>,
  { path, sequence, at }: VerificationMove,
): Promise<void> {
  await tx
    .updateTable('ramp_customers')
    .set({ kyb_status: path.at(-1)?.to ?? row.kyb_status, kyb_sequence: sequence })
    .where('organization_id', '=', row.organization_id)
    .where('id', '=', row.id)
    .execute()
  const data = { customer_id: row.kind === 'recipient' ? row.id : null, name: row.name }
  const events = path.flatMap(({ emits }) => (emits ? [emits] : []))
  for (const event of events) {
    const { organization_id: organizationId, id: objectId } = row
    await emit(tx, [{ organizationId, event, objectType: 'customer', objectId, data, at }])
  }
}
