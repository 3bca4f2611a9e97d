import { type Client, createClient, type Network } from '../../server/tour/client.ts'
import type { Say } from '../../server/tour/layout.ts'
import { logIn, type People } from '../../server/tour/people.ts'
import type { TourService } from '../../server/tour/service.ts'
import { type Custody, createCustody } from './custody.ts'

/** Everything that a tour with an agent talks to. */
export interface AgentTour {
  readonly people: People
  readonly client: Client
  readonly custody: Custody
  readonly networks: readonly Network[]
  readonly say: Say
}

/** `keys` is the folder of the custody. */
export async function openTour(
  { credentials }: Pick<TourService, 'credentials'>,
  say: Say,
  keys: string,
): Promise<AgentTour> {
  const client = createClient(credentials.baseUrl, credentials.profileApiKey, say)
  const people = await logIn(credentials)
  const custody = await createCustody(credentials, people, keys)
  const networks = await client.get<Network[]>('/v1/sandbox/networks')
  return { people, client, custody, networks, say }
}
