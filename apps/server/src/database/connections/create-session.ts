import { planConnections } from './connection-plan.ts'
import { DurableClient } from './durable-client.ts'

/**
 * A connection outside the pool, not yet connected: for locks and listeners, which belong to a session. It is made and
 * watched like those of the pool: it reaches the server that accepts writes, and ends seconds after that falls silent.
 */
export function createSession({ url, name }: { readonly url: string; readonly name: string }): DurableClient {
  return new DurableClient(planConnections({ url, name }))
}
