import { readConfig } from '../../config.ts'
import { createInvitation } from '../../identity/index.ts'
import { systemClock, systemRandomSource } from '../../kernel/index.ts'
import { openHostEvents } from './record-host-event.ts'
import { withDatabase } from './with-database.ts'

export interface CreatedInvitation {
  readonly invitation: string
  readonly email: string | null
  readonly expiresAt: string
}

/** Creates an invitation to register an organization, for one address if given, and says how to use it. */
export async function invite(
  env: Readonly<Record<string, string | undefined>>,
  [email, ...others]: readonly string[],
  say: (line: string) => void,
): Promise<CreatedInvitation> {
  if (others.length > 0) throw new Error('invite takes one email address at most')
  const recordEvent = await openHostEvents(env)
  const { token, expiresAt } = await withDatabase(env, async (db) => {
    const parts = { db, clock: systemClock, random: systemRandomSource }
    const invitation = await createInvitation(parts, email === undefined ? {} : { email })
    await recordEvent(db, { type: 'registration_invited' })
    return invitation
  })
  say(`invitation ${token}`)
  say(
    `valid for one organization${email === undefined ? '' : `, registered by ${email}`}, until ${expiresAt.toISOString()}`,
  )
  say('send it as "invitation" to POST /api/core/auth/register')
  const { registration } = readConfig(env)
  if (registration === 'closed') say('registration is closed: set REGISTRATION=invite and restart the service first')
  return { invitation: token, email: email ?? null, expiresAt: expiresAt.toISOString() }
}
