import { expect, test } from 'vitest'
import { organization } from '../../../../testing/identity/identity-fixture.ts'
import { ssoFixture } from '../../../../testing/identity/sso-fixture.ts'
import { useFixture } from '../../../../testing/use-fixture.ts'
import { claimDomain } from './claim-domain.ts'
import { listDomains } from './list-domains.ts'

const parts = useFixture(ssoFixture)

test('a claim names its TXT record, proves nothing, and stays the same when it is repeated', async () => {
  const { owner } = await organization(parts)
  const claimed = await claimDomain(parts, owner, ' Acme.Example. ')
  expect(claimed).toMatchObject({
    domain: 'acme.example',
    recordName: '_weir-challenge.acme.example',
    recordValue: expect.stringMatching(/^weir-domain-verification=[0-9A-Za-z]{36}$/),
    verifiedAt: null,
    providerId: null,
  })
  expect(await claimDomain(parts, owner, 'acme.example')).toEqual(claimed)
  expect(await listDomains(parts, owner.organizationId)).toEqual([claimed])
})

test('several organizations may claim one domain, each with a text of its own', async () => {
  const first = await claimDomain(parts, (await organization(parts)).owner, 'shared.example')
  const second = await claimDomain(parts, (await organization(parts)).owner, 'shared.example')
  expect(second.recordName).toBe(first.recordName)
  expect(second.recordValue).not.toBe(first.recordValue)
})

test.each(['', 'acme', 'acme..example', '-acme.example', 'acme.example/x', '10.0.0.8', 'a@acme.example', 'acme.123'])(
  '%o is not a domain',
  async (name) => {
    const { owner } = await organization(parts)
    await expect(claimDomain(parts, owner, name)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  },
)
