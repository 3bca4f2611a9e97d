import { type BridgeJson, objectOf, textOf, timeOf } from './json-fields.ts'

/** A webhook message of the partner: a change to one of its objects, with the object after the change. */
export interface WebhookEnvelope {
  readonly id: string
  readonly category: string
  /** `created`, `updated`, `updated.status_transitioned`, `deleted`, with or without the category as a prefix. */
  readonly type: string
  readonly objectId: string
  readonly object: BridgeJson
  readonly changes: BridgeJson | undefined
  readonly at: number
}

/** `undefined` if the JSON does not have the form of a partner message. */
export function parseEnvelope(json: BridgeJson): WebhookEnvelope | undefined {
  const [id, category] = [textOf(json, 'event_id'), textOf(json, 'event_category')]
  const [object, at] = [objectOf(json, 'event_object'), timeOf(json, 'event_created_at')]
  if (id === undefined || category === undefined || !object || at === undefined) return undefined
  return {
    id,
    category,
    type: textOf(json, 'event_type') ?? '',
    objectId: textOf(json, 'event_object_id') ?? textOf(object, 'id') ?? '',
    object,
    changes: objectOf(json, 'event_object_changes'),
    at,
  }
}
