import { type StreamOptions, streamEvents } from './event-stream.ts'
import { type ExecuteOptions, execute, type Operation, type Signer } from './execute.ts'
import { V1_OPERATIONS } from './generated/v1-operations.ts'
import type { ItemOf } from './operation-types.ts'
import type { ClientOptions } from './options.ts'
import { type Resources, resourcesOf } from './resources.ts'
import { Transport } from './transport.ts'
import { V1_NAMES } from './v1-names.ts'

type V1Resources = Resources<typeof V1_NAMES, typeof V1_OPERATIONS>

export type Event = ItemOf<'listEvents', (typeof V1_OPERATIONS)['listEvents']>

/** The v1 surface: for applications with an API key. */
export interface V1Client extends Omit<V1Resources, 'events' | 'operations'> {
  readonly operations: V1Resources['operations'] & {
    /** Signs and submits the transactions of a plan in order, and waits until the operation is final. */
    execute(plan: Pick<Operation, 'operationId'>, signer: Signer, options?: ExecuteOptions): Promise<Operation>
  }
  readonly events: V1Resources['events'] & {
    /** Events as they occur, without end; a lost connection resumes without a gap. */
    stream(options?: StreamOptions): AsyncGenerator<Event>
  }
}

export function createV1Client(options: ClientOptions, transport = new Transport(options)): V1Client {
  const resources = resourcesOf(transport, V1_NAMES, V1_OPERATIONS)
  const stream = (given?: StreamOptions) => streamEvents<Event>(transport, V1_OPERATIONS.listEvents.path, given)
  const run: V1Client['operations']['execute'] = (plan, signer, given) => execute(resources, plan, signer, given)
  return {
    ...resources,
    operations: { ...resources.operations, execute: run },
    events: { ...resources.events, stream },
  }
}
