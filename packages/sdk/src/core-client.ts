import { CORE_NAMES } from './core-names.ts'
import { type StreamOptions, streamEvents } from './event-stream.ts'
import { CORE_OPERATIONS } from './generated/core-operations.ts'
import type { ItemOf } from './operation-types.ts'
import type { ClientOptions } from './options.ts'
import { type Resources, resourcesOf } from './resources.ts'
import { Transport } from './transport.ts'

type CoreResources = Resources<typeof CORE_NAMES, typeof CORE_OPERATIONS>

export type Event = ItemOf<'listOrganizationEvents', (typeof CORE_OPERATIONS)['listOrganizationEvents']>

/** The core surface: for people with a session, and for agents. */
export interface CoreClient extends Omit<CoreResources, 'events'> {
  readonly events: CoreResources['events'] & {
    /** Events as they occur, without end; a lost connection resumes without a gap. */
    stream(options?: StreamOptions): AsyncGenerator<Event>
  }
}

export function createCoreClient(options: ClientOptions, transport = new Transport(options)): CoreClient {
  const resources = resourcesOf(transport, CORE_NAMES, CORE_OPERATIONS)
  const stream = (given?: StreamOptions) =>
    streamEvents<Event>(transport, CORE_OPERATIONS.listOrganizationEvents.path, given)
  return { ...resources, events: { ...resources.events, stream } }
}
