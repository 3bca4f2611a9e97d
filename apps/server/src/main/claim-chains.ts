import pg from 'pg'
import type { Stack } from './stack.ts'

/**
 * One process serves the embedded chains of a database: a second one would bring up chains of its own under the same
 * names, and the books would speak of both. A lock that ends with the process holds the place.
 */
export async function claimEmbeddedChains(databaseUrl: string, stack: Stack): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'weir embedded chains' })
  // A lock lost with its connection is told by whatever needs the database next.
  client.on('error', () => undefined)
  await client.connect()
  stack.push('claim on the embedded chains', () => client.end())
  const { rows } = await client.query(
    `select pg_try_advisory_lock(hashtextextended('weir embedded chains', 0)) as mine`,
  )
  if (rows[0]?.mine === true) return
  throw new Error('DATABASE_URL is in use by a sandbox with embedded chains; only one process can serve those')
}
