import { resetChangePolicy } from '../changes/index.ts'
import { type Database, extendTransact, type Transact, transactOn } from '../database/index.ts'
import { type RecoveredOwner, recoverOwner } from '../identity/index.ts'
import { createLog, Failure, systemClock, systemRandomSource } from '../kernel/index.ts'
import { recordHostEvent } from './record-host-event.ts'
import { withDatabase } from './with-database.ts'

const RESET = '--reset-change-policy'

/** Gives an owner a one-time password, and says what it is and how to use it. On request it lifts the change policy. */
export async function recoverOwnerByCommand(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
  say: (line: string) => void,
): Promise<void> {
  const resets = args.includes(RESET)
  const [email, ...others] = args.filter((arg) => arg !== RESET)
  if (email === undefined || others.length > 0) {
    throw new Error(`owner:recover takes the e-mail address of one owner, not "${args.join(' ')}"`)
  }
  const { password, expiresAt, endedSessions } = await withDatabase(env, (db) => recover(env, db, { email, resets }))
  say(`password ${password}`)
  say(`for ${email}, until ${expiresAt.toISOString()}; sessions ended: ${endedSessions}`)
  if (resets) say('change policy reset: no change of the configuration needs approval')
  say('log in with it at POST /api/core/auth/login, then set your own at POST /api/core/auth/password')
}

async function recover(
  env: Readonly<Record<string, string | undefined>>,
  db: Database,
  { email, resets }: { readonly email: string; readonly resets: boolean },
) {
  const parts = { db, clock: systemClock, random: systemRandomSource, log: createLog('warn') }
  try {
    const recovered = await recoverOwner(parts, email, resets ? resettingTransact(db) : undefined)
    const { organizationId } = recovered
    await recordHostEvent(env, db, { type: 'owner_recovered', organizationId })
    return recovered
  } catch (error) {
    if (error instanceof Failure) await recordHostEvent(env, db, { type: 'owner_recovery_refused', code: error.code })
    throw error
  }
}

/** Lifts the rules for changes in the transaction of the recovery. */
function resettingTransact(db: Database): Transact<RecoveredOwner> {
  const plain: Transact<RecoveredOwner> = transactOn(db)
  return extendTransact(plain, async (tx, recovered: RecoveredOwner) => {
    await resetChangePolicy(tx, recovered.organizationId, systemClock.now())
    return recovered
  })
}
