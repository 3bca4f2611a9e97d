import type { Credentials } from './client.ts'
import { logIn } from './people.ts'

/** The keys of a killed tour expire after this time. */
const MINUTES = 15

export interface OwnKeys {
  readonly values: readonly string[]
  remove(): Promise<void>
}

/**
 * Two API keys for this tour alone. Rate limits count by key: the loop writes more often than one key may in a minute,
 * and the sandbox's own keys may just have been used.
 */
export async function createOwnKeys(credentials: Credentials): Promise<OwnKeys> {
  const people = await logIn(credentials).catch(() => undefined)
  // The owner has another password or a second factor by now: the keys of the sandbox work, at their limits.
  if (!people) return { values: [credentials.profileApiKey, credentials.organizationApiKey], remove: async () => {} }
  const expiresAt = new Date(Date.now() + MINUTES * 60_000).toISOString()
  const keys: { readonly id: number; readonly apiKey: string }[] = []
  for (const name of ['Tour, first key', 'Tour, second key']) {
    keys.push(await people.post('/api/core/apikeys/generate', { name, expiresAt }))
  }
  return {
    values: keys.map(({ apiKey }) => apiKey),
    async remove() {
      for (const { id } of keys) await people.delete(`/api/core/apikeys/${id}`)
    },
  }
}
