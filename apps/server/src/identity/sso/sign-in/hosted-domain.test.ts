import { expect, test } from 'vitest'
import { organizationWithSso, ssoMailFixture } from '../../../../testing/identity/sso-fixture.ts'
import { useFixture } from '../../../../testing/use-fixture.ts'
import { inTransaction } from '../../../database/index.ts'
import { resolveMember } from './resolve-member.ts'

const parts = useFixture(ssoMailFixture)
const GOOGLE = 'https://accounts.google.com'
const refused = { code: 'FORBIDDEN', details: { reason: 'domain_not_proved' } }

async function people(issuer: string) {
  const { owner, provider, domain } = await organizationWithSso(parts, { issuer })
  const { organizationId } = owner
  const about = { organizationId, providerId: provider.id, at: parts.clock.now(), from: '192.0.2.7' }
  const context = {
    ...about,
    rules: parts.sso.roleRules,
    assignedPasswords: parts.assignedPasswords,
    notices: parts,
  }
  const signIn = (more: object, subject = 'sub-1') => {
    const claims = { email: `ada@${domain}`, email_verified: true, ...more }
    return inTransaction(parts.db, (tx) =>
      resolveMember(tx, context, { issuer, subject, claims, signedClaims: claims }),
    )
  }
  return { domain, signIn }
}

test('an account of Google that no organization manages is nobody, whatever address it verified', async () => {
  const { signIn } = await people(GOOGLE)
  for (const more of [{}, { hd: '' }, { hd: true }, { hd: 'other.example' }, { hd: ['a.example'] }])
    await expect(signIn(more)).rejects.toMatchObject(refused)
})

test('an account that the organization manages signs in, with its domain in any case', async () => {
  const { domain, signIn } = await people(GOOGLE)
  const { id } = await signIn({ hd: domain.toUpperCase() })
  expect(await signIn({ hd: domain })).toMatchObject({ id })
})

test('a linked account of Google that nobody manages is refused as well', async () => {
  const { domain, signIn } = await people(GOOGLE)
  const { id } = await signIn({ hd: domain })
  await expect(signIn({})).rejects.toMatchObject(refused)
  expect(await signIn({ hd: 'renamed.example' })).toMatchObject({ id })
})

test('other providers need no claim of a domain', async () => {
  const { signIn } = await people('http://127.0.0.1:9')
  expect(await signIn({})).toMatchObject({ id: expect.any(Number) })
})
