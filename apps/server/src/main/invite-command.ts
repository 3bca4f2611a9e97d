import { createInvitation } from '../identity/index.ts'
import { systemClock, systemRandomSource } from '../kernel/index.ts'
import { withDatabase } from './with-database.ts'

/** Creates an invitation to register an organization, for one address if given, and says how to use it. */
export async function invite(
  env: Readonly<Record<string, string | undefined>>,
  [email, ...others]: readonly string[],
  say: (line: string) => void,
): Promise<void> {
  if (others.length > 0) throw new Error('invite takes one e-mail address at most')
  const { token, expiresAt } = await withDatabase(env, (db) =>
    createInvitation({ db, clock: systemClock, random: systemRandomSource }, email === undefined ? {} : { email }),
  )
  say(`invitation ${token}`)
  say(`for one organization${email === undefined ? '' : `, registered by ${email}`}, until ${expiresAt.toISOString()}`)
  say('send it as "invitation" to POST /api/core/auth/register')
}
