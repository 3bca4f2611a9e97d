// Also tested in: identity/sessions/session-retentions.test.ts, main/compose/retentions.test.ts (each batch uses an index).
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../testing/use-fixture.ts'
import { deleteOldRows } from '../database/index.ts'
import { issueChallenge } from './factors/challenges.ts'
import { identityRetentions } from './identity-retentions.ts'
import { logIn } from './sessions/log-in.ts'

const parts = useFixture(identityFixture)
const MINUTE = 60_000
const DAY = 86_400_000

test('counts of failed logins and unused challenges are deleted when nobody signs in any longer', async () => {
  const { user, organization: home } = await organization(parts)
  const wrong = { email: user.email, password: 'wrong password', address: '192.0.2.9' }
  await expect(logIn(parts, wrong)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  const of = { organizationId: home.id, userId: user.id }
  await issueChallenge(parts.db, parts, { purpose: 'sign_in', user: of })
  const sweep = async () => Object.fromEntries(await deleteOldRows(parts, identityRetentions(parts, 365 * DAY)))
  expect(await sweep()).toEqual({})
  parts.clock.advance(16 * MINUTE)
  expect(await sweep()).toEqual({ login_attempts: 1, factor_challenges: 1 })
  parts.clock.advance(DAY)
  expect(await sweep()).toMatchObject({ login_account_attempts: 1 })
  expect((await sql`select from users`.execute(parts.db)).rows).toHaveLength(1)
})
