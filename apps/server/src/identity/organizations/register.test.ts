import { expect, test } from 'vitest'
import { credentialOf, identityFixture, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { getAccount } from '../sessions/get-account.ts'
import type { SessionWithTokens } from '../sessions/session.ts'
import { register } from './register.ts'

const parts = useFixture(identityFixture)

test('a registration creates an organization with an owner and a default profile, and logs the owner in', async () => {
  const signedIn = await register(parts, {
    email: ' Ada@Example.COM ',
    password: PASSWORD,
    name: 'Ada',
    organizationName: 'Analytical Engines',
  })
  expect(signedIn).toMatchObject({
    expiresIn: 3_600,
    user: { email: 'ada@example.com', name: 'Ada', role: 'owner' },
    organization: { name: 'Analytical Engines' },
  })
  expect(await getAccount(parts, await credentialOf(parts, signedIn.accessToken))).toEqual({
    user: signedIn.user,
    organization: signedIn.organization,
  })
  const profiles = await parts.db
    .selectFrom('wallet_profiles')
    .select(['name', 'is_default', 'enabled_chains', 'operation_timeout_seconds'])
    .where('organization_id', '=', signedIn.organization.id)
    .execute()
  expect(profiles).toEqual([
    {
      name: 'default',
      is_default: true,
      enabled_chains: ['solana', 'polygon', 'ethereum', 'base'],
      operation_timeout_seconds: 120,
    },
  ])
})

test('one of several concurrent registrations of an email succeeds, and the others leave nothing behind', async () => {
  const count = async () => (await parts.db.selectFrom('organizations').select('id').execute()).length
  const before = await count()
  const attempts = ['x@y.example', 'X@Y.example', 'x@Y.EXAMPLE', 'x@y.example'].map((email) =>
    register(parts, { email, password: PASSWORD, organizationName: 'Race' }),
  )
  const outcomes = await Promise.allSettled(attempts)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'CONFLICT' })
  }
  expect(await count()).toBe(before + 1)
})

test.each([
  ['email', { email: 'nobody' }],
  ['email', { email: 'a b@example.com' }],
  ['email', { email: 'a@localhost' }],
  ['email', { email: 'a\u0000@example.com' }],
  ['email', { email: `${'a'.repeat(64)}@${'b'.repeat(190)}.example` }],
  ['password', { password: 'elevenchars' }],
  ['password', { password: 'x'.repeat(1_025) }],
  ['name', { name: '  ' }],
  ['name', { name: 'a\u0000b' }],
  ['organizationName', { organizationName: '' }],
  ['organizationName', { organizationName: 'x'.repeat(201) }],
])('a malformed %s registers nobody', async (path, wrong) => {
  const input = { email: 'new@example.com', password: PASSWORD, organizationName: 'New', ...wrong }
  await expect(register(parts, input)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { issues: [{ path }] },
  })
})

test('a registration commits together with the caller’s transaction', async () => {
  const input = { email: 'late@example.com', password: PASSWORD, organizationName: 'Late' }
  const transact = failingTransact<SessionWithTokens>(parts.db, 'the response was not recorded')
  await expect(register(parts, input, transact)).rejects.toThrow('not recorded')
  expect(await register(parts, input)).toMatchObject({ organization: { name: 'Late' } })
})
