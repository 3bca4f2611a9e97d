import type { System } from '../service/start-system.ts'
import { ANONYMOUS, type HttpClient, withToken } from './client.ts'

/** The owner of the demo organization, signed in on core. */
export async function asOwner(system: System): Promise<HttpClient> {
  const { email, password } = system.credentials
  const login = await system
    .as(ANONYMOUS)
    .post<{ data: { accessToken: string } }>('/api/core/auth/login', { email, password })
  return system.as(withToken(login.body.data.accessToken))
}
