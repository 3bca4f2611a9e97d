import type { Selectable } from 'kysely'
import { emit, labelOfPersonalFields, type Schema, type Tx } from '../../database/index.ts'
import type { FieldOwner, FieldSealer } from '../sealing/sealed-fields.ts'
import { readName } from './customer-fields.ts'
import type { KybTransition } from './kyb-states.ts'

/** The only code that assigns the state of a verification, by the table in `kyb-states.ts`. */

/** The columns of the link to the form: sealed, with empty plain-text columns. */
export function sealedLink(fields: FieldSealer, owner: FieldOwner, link: string) {
  return { kyb_link: null, sealed_kyb_link: fields.seal('sealed_kyb_link', owner, link) }
}

/** The columns of an erased link: the verification keeps its state, and nobody can fill in the form. */
export const ERASED_LINK = { kyb_link: null, sealed_kyb_link: null } as const

/** The columns of a customer whose verification starts, or starts again: `attempt` counts from 1. */
export function startedVerification(
  fields: FieldSealer,
  owner: FieldOwner,
  { link, reference, attempt }: { readonly link: string; readonly reference: string; readonly attempt: number },
) {
  return {
    kyb_status: 'pending',
    ...sealedLink(fields, owner, link),
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
export async function advanceVerification(
  tx: Tx,
  fields: FieldSealer,
  row: Selectable<Schema['ramp_customers']>,
  { path, sequence, at }: VerificationMove,
): Promise<void> {
  await tx
    .updateTable('ramp_customers')
    .set({ kyb_status: path.at(-1)?.to ?? row.kyb_status, kyb_sequence: sequence })
    .where('organization_id', '=', row.organization_id)
    .where('id', '=', row.id)
    .execute()
  const data = { customer_id: row.kind === 'recipient' ? row.id : null, name: null }
  // A name that does not open stays null, as after an erasure: it must not hold up the decision.
  const name = readName(fields, { organizationId: row.organization_id, id: row.id }, row)
  const events = path.flatMap(({ emits }) => (emits ? [emits] : []))
  for (const event of events) {
    const about = { organizationId: row.organization_id, event, objectType: 'customer', objectId: row.id }
    const personal = name !== null && {
      personal: fields.events.seal(JSON.stringify({ name }), labelOfPersonalFields(about)),
    }
    await emit(tx, [{ ...about, data, ...personal, at }])
  }
}
