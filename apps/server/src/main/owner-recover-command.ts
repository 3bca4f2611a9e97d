import type { Database } from '../database/index.ts'
import { recoverOwner } from '../identity/index.ts'
import { createLog, Failure, systemClock, systemRandomSource } from '../kernel/index.ts'
import { recordHostEvent } from './record-host-event.ts'
import { withDatabase } from './with-database.ts'

/** Gives an owner a one-time password, and says what it is and how to use it. */
export async function recoverOwnerByCommand(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
  say: (line: string) => void,
): Promise<void> {
  const [email, ...others] = args
  if (email === undefined || others.length > 0) {
    throw new Error(`owner:recover takes the e-mail address of one owner, not "${args.join(' ')}"`)
  }
  const { password, expiresAt, endedSessions } = await withDatabase(env, (db) => recover(env, db, email))
  say(`password ${password}`)
  say(`for ${email}, until ${expiresAt.toISOString()}; sessions ended: ${endedSessions}`)
  say('log in with it at POST /api/core/auth/login, then set your own at POST /api/core/auth/password')
}

async function recover(env: Readonly<Record<string, string | undefined>>, db: Database, email: string) {
  const parts = { db, clock: systemClock, random: systemRandomSource, log: createLog('warn') }
  try {
    const recovered = await recoverOwner(parts, email)
    const { organizationId } = recovered
    await recordHostEvent(env, db, { type: 'owner_recovered', organizationId })
    return recovered
  } catch (error) {
    if (error instanceof Failure) await recordHostEvent(env, db, { type: 'owner_recovery_refused', code: error.code })
    throw error
  }
}
