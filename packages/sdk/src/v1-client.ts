import { type StreamOptions, streamEvents } from './event-stream.ts'
import { V1_OPERATIONS } from './generated/v1-operations.ts'
import type { ItemOf } from './operation-types.ts'
import type { ClientOptions } from './options.ts'
import { type Resources, resourcesOf } from './resources.ts'
import { Transport } from './transport.ts'
import { V1_NAMES } from './v1-names.ts'

type V1Resources = Resources<typeof V1_NAMES, typeof V1_OPERATIONS>

export type Event = ItemOf<'listEvents', (typeof V1_OPERATIONS)['listEvents']>

/** The v1 surface: for applications with an API key. */
export interface V1Client extends Omit<V1Resources, 'events'> {
  readonly events: V1Resources['events'] & {
    /** Events as they occur, for ever; a lost connection resumes without a gap. */
    stream(options?: StreamOptions): AsyncGenerator<Event>
  }
}

export function createV1Client(options: ClientOptions, transport = new Transport(options)): V1Client {
  const resources = resourcesOf(transport, V1_NAMES, V1_OPERATIONS)
  const stream = (given?: StreamOptions) => streamEvents<Event>(transport, V1_OPERATIONS.listEvents.path, given)
  return { ...resources, events: { ...resources.events, stream } }
}
