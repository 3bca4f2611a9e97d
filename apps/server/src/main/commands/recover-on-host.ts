import { resetChangePolicy } from '../../changes/index.ts'
import { type Database, extendTransact, type Transact, transactOn } from '../../database/index.ts'
import { type RecoveredOwner, recoverOwner } from '../../identity/index.ts'
import { createLog, Failure, systemClock, systemRandomSource } from '../../kernel/index.ts'
import { openHostEvents } from './record-host-event.ts'
import { withDatabase } from './with-database.ts'

/** Gives an owner a one-time password, and records that or the refusal as a security event. */
export async function recoverOnHost(
  env: Readonly<Record<string, string | undefined>>,
  { email, resets }: { readonly email: string; readonly resets: boolean },
): Promise<RecoveredOwner> {
  const recordEvent = await openHostEvents(env)
  return await withDatabase(env, async (db) => {
    const parts = { db, clock: systemClock, random: systemRandomSource, log: createLog('warn') }
    try {
      const recovered = await recoverOwner(parts, email, resets ? resettingTransact(db) : undefined)
      const { organizationId } = recovered
      await recordEvent(db, { type: 'owner_recovered', organizationId })
      return recovered
    } catch (error) {
      if (error instanceof Failure) await recordEvent(db, { type: 'owner_recovery_refused', code: error.code })
      throw error
    }
  })
}

/** Lifts the rules for changes in the transaction of the recovery. */
function resettingTransact(db: Database): Transact<RecoveredOwner> {
  const plain: Transact<RecoveredOwner> = transactOn(db)
  return extendTransact(plain, async (tx, recovered: RecoveredOwner) => {
    await resetChangePolicy(tx, recovered.organizationId, systemClock.now())
    return recovered
  })
}
