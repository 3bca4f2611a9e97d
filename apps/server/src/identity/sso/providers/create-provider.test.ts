import { expect, test } from 'vitest'
import { organization } from '../../../../testing/identity/identity-fixture.ts'
import { newMember } from '../../../../testing/identity/new-member.ts'
import { organizationWithSso, providerInput, ssoFixture } from '../../../../testing/identity/sso-fixture.ts'
import { failingTransact } from '../../../../testing/index.ts'
import { useFixture } from '../../../../testing/use-fixture.ts'
import { createProvider } from './create-provider.ts'
import { listProviders } from './list-providers.ts'
import { readProvider, secretLabel } from './provider.ts'

const parts = useFixture(ssoFixture)

const issueAt = (path: string) => ({
  code: 'VALIDATION_ERROR',
  details: { issues: [expect.objectContaining({ path })] },
})

test('a provider is stored with its secret sealed, and listed without it', async () => {
  const { owner } = await organization(parts)
  const made = await createProvider(parts, owner, providerInput('https://id.acme.example/'))
  expect(made).toMatchObject({
    issuer: 'https://id.acme.example',
    scopes: ['openid', 'email', 'profile'],
    verifiedEmailClaim: 'email_verified',
    allowOwner: false,
    enforced: false,
    domains: [],
  })
  expect(await listProviders(parts, owner.organizationId)).toEqual([made])
  expect(JSON.stringify(made)).not.toContain(providerInput().clientSecret)
  const { sealedSecret } = await readProvider(parts.db, { organizationId: owner.organizationId, providerId: made.id })
  const label = secretLabel(owner.organizationId, made.id)
  expect(sealedSecret.includes(providerInput().clientSecret)).toBe(false)
  expect(parts.sso.sealer.open(sealedSecret, label)).toBe(providerInput().clientSecret)
})

test.each([
  ['a query', 'https://id.acme.example/?tenant=1', 'issuer'],
  ['the discovery document', 'https://id.acme.example/.well-known/openid-configuration', 'issuer'],
  ['a password', 'https://user:password@id.acme.example', 'issuer'],
  ['a cloud metadata address', 'http://169.254.169.254/latest', 'issuer'],
  ['a private network', 'https://10.0.0.8', 'issuer'],
  ['another scheme', 'file:///etc/passwd', 'issuer'],
  ['no URL', 'id.acme.example', 'issuer'],
])('an issuer with %s is refused', async (_name, issuer, path) => {
  const { owner } = await organization(parts)
  await expect(createProvider(parts, owner, providerInput(issuer))).rejects.toMatchObject(issueAt(path))
  expect(await listProviders(parts, owner.organizationId)).toEqual([])
})

test('fields that contradict each other are refused', async () => {
  const { owner } = await organization(parts)
  const admin = await newMember(parts, owner, 'admin')
  const attempts = [
    ['scopes', { scopes: ['email'] }],
    ['roleClaim', { roleMappings: [{ value: 'a', role: 'admin' }] }],
    ['roleMappings', { roleClaim: 'groups', roleMappings: [{ value: 'a', role: 'owner' }] }],
    ['enforced', { enforced: true }],
    ['breakGlassMemberId', { breakGlassMemberId: admin.id }],
    ['domains', { domains: ['unproved.example'] }],
  ] as const
  for (const [path, more] of attempts) {
    const input = { ...providerInput(), ...more } as Parameters<typeof createProvider>[2]
    await expect(createProvider(parts, owner, input), path).rejects.toMatchObject(issueAt(path))
  }
  expect(await listProviders(parts, owner.organizationId)).toEqual([])
})

test('a domain that another organization proved, or another provider has, is refused', async () => {
  const theirs = await organizationWithSso(parts)
  const { owner } = await organization(parts)
  const input = { ...providerInput(), domains: [theirs.domain] }
  await expect(createProvider(parts, owner, input)).rejects.toMatchObject(issueAt('domains'))
  await expect(createProvider(parts, theirs.owner, input)).rejects.toMatchObject(issueAt('domains'))
  expect(await listProviders(parts, theirs.owner.organizationId)).toEqual([theirs.provider])
})

test('nothing is stored if the caller’s transaction fails', async () => {
  const { owner } = await organization(parts)
  await expect(
    createProvider(parts, owner, providerInput(), failingTransact(parts.db, 'the response')),
  ).rejects.toThrow()
  expect(await listProviders(parts, owner.organizationId)).toEqual([])
})
