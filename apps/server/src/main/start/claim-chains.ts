import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { createSession } from '../../database/index.ts'
import { CHAIN_CLAIM_RETRY_MS, withCleanup } from '../../kernel/index.ts'
import type { ShutdownStack } from './shutdown-stack.ts'

export interface ChainClaim {
  /** The settings of the chains that this process embeds; empty if every chain is behind RPC endpoints. */
  readonly embedded: readonly string[]
  readonly stack: ShutdownStack
  /** The claim was lost to another process: this one must stop. */
  readonly onBroken: (line: string) => void
}

/**
 * The claim of a sandbox on the chains of its database. One process serves embedded chains: a second one would start its
 * own under the same names, or follow others at RPC endpoints, and the ledger would mix them. Processes that embed no
 * chain share the database.
 *
 * An advisory lock, which ends with the process, holds the claim: exclusive with embedded chains, shared without. A
 * restart of the database drops the lock, so it is taken again; if another process was faster, `onBroken` is called.
 */
export async function claimChains(databaseUrl: string, { embedded, stack, onBroken }: ChainClaim): Promise<void> {
  const isShared = embedded.length === 0
  let stopped = false
  let held: pg.Client | undefined

  async function take(): Promise<boolean> {
    const client = createSession({ url: databaseUrl, name: 'weir embedded chains' })
    // The next query reports the broken connection. Here the claim is requested again.
    client.on('error', () => undefined)
    return await withCleanup(
      async () => {
        await client.connect()
        const lock = isShared ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock'
        const { rows } = await client.query(`select ${lock}(hashtextextended('weir embedded chains', 0)) as mine`)
        // A process that stopped meanwhile must not hold it.
        if (rows[0]?.mine !== true || stopped) return false
        held = client
        client.once('end', () => void again())
        return true
      },
      async () => {
        if (held !== client) await client.end()
      },
    )
  }

  async function again(): Promise<void> {
    while (!stopped) {
      // Undefined: the database is still unavailable.
      const mine = await take().catch(() => undefined)
      if (mine === false && !stopped) onBroken('another process serves the chains of DATABASE_URL now')
      if (mine !== undefined) return
      await pause(CHAIN_CLAIM_RETRY_MS, undefined, { ref: false })
    }
  }

  stack.push('claim on the chains', async () => {
    stopped = true
    await held?.end()
  })
  if (await take()) return
  throw new Error(
    isShared
      ? 'DATABASE_URL is in use by a sandbox with embedded chains; only one process can serve those: stop it, or ' +
          'restart it with RPC endpoints for all chains'
      : 'DATABASE_URL is in use by another sandbox process, and this one embeds chains; only one process can serve ' +
          `those: stop the other one, or set ${embedded.join(', ')} for every process`,
  )
}
