import { once } from 'node:events'
import pg from 'pg'

/**
 * A pool of plain connections for what Weir is compared with. Its `end` waits until they are closed, so that a database
 * can be dropped right after it; the pool's own does not.
 */
export function openBarePool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max })
  const closed: Promise<unknown>[] = []
  pool.on('connect', (client) => closed.push(once(client, 'end')))
  const end = pool.end.bind(pool) as () => Promise<void>
  pool.end = async () => {
    await end()
    await Promise.all(closed)
  }
  return pool
}
