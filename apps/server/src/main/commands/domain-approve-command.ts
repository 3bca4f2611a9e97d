import { approveDomain } from '../../identity/index.ts'
import { isId, systemClock, systemRandomSource } from '../../kernel/index.ts'
import { openHostEvents } from './record-host-event.ts'
import { withDatabase } from './with-database.ts'

/** Records that an organization owns an email domain, and says so. */
export async function approveDomainByCommand(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
  say: (line: string) => void,
): Promise<void> {
  const [organization, name, ...others] = args
  const organizationId = /^\d{1,15}$/.test(organization ?? '') ? Number(organization) : undefined
  if (!isId(organizationId) || name === undefined || others.length > 0) {
    throw new Error(`domain:approve takes the id of an organization and a domain, not "${args.join(' ')}"`)
  }
  const recordEvent = await openHostEvents(env)
  const { domain } = await withDatabase(env, async (db) => {
    const approved = await approveDomain(
      { db, clock: systemClock, random: systemRandomSource },
      { organizationId, name },
    )
    await recordEvent(db, { type: 'domain_approved', organizationId })
    return approved
  })
  say(`organization ${organizationId} owns ${domain}`)
  say('an owner can give it to an identity provider: PATCH /api/core/sso/providers/ID with domains')
}
