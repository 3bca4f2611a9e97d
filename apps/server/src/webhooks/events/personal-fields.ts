import { labelOfPersonalFields, type NewEvent } from '../../database/index.ts'
import type { Sealer } from '../../kernel/index.ts'

/** A stored event with its sealed fields. */
type StoredEvent = Pick<NewEvent, 'organizationId' | 'event' | 'objectType' | 'objectId'> & {
  readonly body: string
  readonly personal: Buffer | null
}

/**
 * The body of an event with its personal fields, byte for byte the same each time. Without sealed fields, or after an
 * erasure, it is the stored body, which has null in their place.
 */
export function bodyWithPersonalFields(sealer: Sealer, { body, personal, ...event }: StoredEvent): string {
  if (personal === null) return body
  const fields = JSON.parse(sealer.open(personal, labelOfPersonalFields(event))) as Record<string, unknown>
  const payload = JSON.parse(body) as { readonly data: Record<string, unknown> }
  return JSON.stringify({ ...payload, data: { ...payload.data, ...fields } })
}
