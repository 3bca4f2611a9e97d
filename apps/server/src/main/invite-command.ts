import { createInvitation } from '../identity/index.ts'
import { systemClock, systemRandomSource } from '../kernel/index.ts'
import { recordHostEvent } from './record-host-event.ts'
import { withDatabase } from './with-database.ts'

/** Creates an invitation to register an organization, for one address if given, and says how to use it. */
export async function invite(
  env: Readonly<Record<string, string | undefined>>,
  [email, ...others]: readonly string[],
  say: (line: string) => void,
): Promise<void> {
  if (others.length > 0) throw new Error('invite takes one e-mail address at most')
  const { token, expiresAt } = await withDatabase(env, async (db) => {
    const parts = { db, clock: systemClock, random: systemRandomSource }
    const invitation = await createInvitation(parts, email === undefined ? {} : { email })
    await recordHostEvent(env, db, { type: 'registration_invited' })
    return invitation
  })
  say(`invitation ${token}`)
  say(`for one organization${email === undefined ? '' : `, registered by ${email}`}, until ${expiresAt.toISOString()}`)
  say('send it as "invitation" to POST /api/core/auth/register')
}
