import {
  authenticateBearer,
  type IdentityParts,
  KeyUsage,
  register,
  type SessionWithTokens,
  type UserCredential,
} from '../../src/identity/index.ts'
import { ManualClock, ringOf, silentLog, systemRandomSource } from '../../src/kernel/index.ts'
import { testDatabase } from '../index.ts'
import { FACTOR_SETTINGS } from './factor-settings.ts'

/** Real parts on a separate database, with a clock that only moves when a test moves it. */
export interface IdentityFixture extends IdentityParts {
  readonly clock: ManualClock
  close(): Promise<void>
}

export async function identityFixture(): Promise<IdentityFixture> {
  const { db, close } = await testDatabase()
  const clock = new ManualClock()
  const usage = new KeyUsage({ db, clock, log: silentLog })
  return {
    db,
    clock,
    usage,
    random: systemRandomSource,
    secrets: {
      jwt: ringOf('a-secret-of-the-tests-for-access-tokens'),
      pepper: ringOf('a-pepper-of-the-tests'),
    },
    environment: 'sandbox',
    sessionLimits: SESSION_LIMITS,
    assignedPasswords: 'lasting',
    factors: FACTOR_SETTINGS,
    log: silentLog,
    async close() {
      await usage.flush()
      await close()
    },
  }
}

/** The defaults: thirty days without use, ninety in all. */
export const SESSION_LIMITS = { idleMs: 30 * 86_400_000, maxMs: 90 * 86_400_000 }

export const PASSWORD = 'correct horse battery'
let registered = 0

/** A new organization whose owner is signed in. */
export async function organization(
  parts: IdentityParts,
): Promise<SessionWithTokens & { readonly owner: UserCredential }> {
  registered += 1
  const signedIn = await register(parts, {
    email: `owner${registered}@acme.example`,
    password: PASSWORD,
    organizationName: `Acme ${registered}`,
  })
  return { ...signedIn, owner: await credentialOf(parts, signedIn.accessToken) }
}

/** The credential of an access token that must be valid. */
export async function credentialOf(parts: IdentityParts, accessToken: string): Promise<UserCredential> {
  const credential = await authenticateBearer(parts, accessToken)
  if (credential === undefined) throw new Error('the access token does not hold')
  return credential
}
