import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { createSession } from '../database/index.ts'
import { CHAIN_CLAIM_RETRY_MS } from '../kernel/index.ts'
import type { ShutdownStack } from './shutdown-stack.ts'

/**
 * One process serves the embedded chains of a database. A second one would start its own chains under the same names,
 * and the ledger would mix them. An advisory lock, which ends with the process, holds the claim. A restart of the
 * database drops the lock, so it is taken again; if another process was faster, `onBroken` is called, and this process
 * must stop.
 */
export async function claimEmbeddedChains(
  databaseUrl: string,
  stack: ShutdownStack,
  onBroken: (line: string) => void,
): Promise<void> {
  let stopped = false
  let held: pg.Client | undefined

  async function take(): Promise<boolean> {
    const client = createSession({ url: databaseUrl, name: 'weir embedded chains' })
    // The next query reports the broken connection. Here the claim is requested again.
    client.on('error', () => undefined)
    await client.connect()
    const { rows } = await client.query(
      `select pg_try_advisory_lock(hashtextextended('weir embedded chains', 0)) as mine`,
    )
    if (rows[0]?.mine !== true) {
      await client.end()
      return false
    }
    held = client
    client.once('end', () => void again())
    return true
  }

  async function again(): Promise<void> {
    while (!stopped) {
      // Undefined: the database is still unavailable.
      const mine = await take().catch(() => undefined)
      if (mine === false) onBroken('another process serves the embedded chains of DATABASE_URL now')
      if (mine !== undefined) return
      await pause(CHAIN_CLAIM_RETRY_MS, undefined, { ref: false })
    }
  }

  stack.push('claim on the embedded chains', async () => {
    stopped = true
    await held?.end()
  })
  if (await take()) return
  throw new Error('DATABASE_URL is in use by a sandbox with embedded chains; only one process can serve those')
}
