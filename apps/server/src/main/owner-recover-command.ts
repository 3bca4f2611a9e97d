import { recoverOwner } from '../identity/index.ts'
import { createLog, systemClock, systemRandomSource } from '../kernel/index.ts'
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
  const { password, expiresAt, endedSessions } = await withDatabase(env, (db) =>
    recoverOwner({ db, clock: systemClock, random: systemRandomSource, log: createLog('warn') }, email),
  )
  say(`password ${password}`)
  say(`for ${email}, until ${expiresAt.toISOString()}; sessions ended: ${endedSessions}`)
  say('log in with it at POST /api/core/auth/login, then set your own at POST /api/core/auth/password')
}
