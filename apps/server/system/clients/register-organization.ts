import { randomUUID } from 'node:crypto'
import type { System } from '../service/start-system.ts'
import type { Data, GeneratedKey, Profile, Session } from './api-types.ts'
import { ANONYMOUS, type HttpClient, withKey, withToken } from './client.ts'

interface KeyScope {
  readonly walletProfileId?: number
  readonly isAdmin?: true
  readonly permissions?: readonly string[]
}

/** An organization for one test, with its owner signed in. */
export interface RegisteredOrganization {
  readonly session: Session
  readonly email: string
  readonly password: string
  /** The owner through a user session. */
  readonly owner: HttpClient
  /** A new key; without a scope, it covers the whole organization. */
  key(scope?: KeyScope): Promise<GeneratedKey>
  /** A client with such a key. */
  client(scope?: KeyScope): Promise<HttpClient>
  profile(fields: {
    name: string
    enabledChains?: readonly string[]
    operationTimeoutSeconds?: number
  }): Promise<Profile>
}

export async function registerOrganization(system: Pick<System, 'as'>): Promise<RegisteredOrganization> {
  const email = `owner-${randomUUID()}@weir.example`
  const password = 'a long enough password'
  const registration = { email, password, name: 'Olga', organizationName: 'Basalt Payments' }
  const { body } = await system.as(ANONYMOUS).post<Data<Session>>('/api/core/auth/register', registration)
  const owner = system.as(withToken(body.data.accessToken))
  const key: RegisteredOrganization['key'] = async (scope = {}) => {
    const made = await owner.post<Data<GeneratedKey>>('/api/core/apikeys/generate', { name: 'A key', ...scope })
    return made.body.data
  }
  return {
    session: body.data,
    email,
    password,
    owner,
    key,
    client: async (scope) => system.as(withKey((await key(scope)).apiKey)),
    profile: async (fields) =>
      (await owner.post<Data<Profile>>('/api/core/wallet-profiles', { enabledChains: ALL_CHAINS, ...fields })).body
        .data,
  }
}

const ALL_CHAINS = ['solana', 'polygon', 'ethereum', 'base']
