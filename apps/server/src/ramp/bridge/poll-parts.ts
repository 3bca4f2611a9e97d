import type { RampDirection } from '../../database/index.ts'
import type { ProviderEvent } from '../provider/port.ts'
import type { BridgeClient } from './client.ts'
import type { EventParts } from './read-events.ts'

export interface PollParts extends EventParts {
  readonly client: BridgeClient
}

export type ApplyListedEvent = (event: ProviderEvent) => Promise<void>

/** When the first account of a direction was opened, in milliseconds; `undefined` if there is none. */
export async function firstAccountAt({ db }: PollParts, direction: RampDirection): Promise<number | undefined> {
  const row = await db
    .selectFrom('ramp_accounts')
    .select(({ fn }) => fn.min('created_at').as('at'))
    .where('direction', '=', direction)
    .executeTakeFirst()
  return row?.at ? row.at.getTime() : undefined
}
