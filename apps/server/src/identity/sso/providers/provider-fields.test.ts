import { expect, test } from 'vitest'
import { organizationWithSso, ssoFixture } from '../../../../testing/identity/sso-fixture.ts'
import { useFixture } from '../../../../testing/use-fixture.ts'
import { inTransaction } from '../../../database/index.ts'
import { approveDomain } from '../domains/approve-domain.ts'
import { claimDomain } from '../domains/claim-domain.ts'
import { listDomains } from '../domains/list-domains.ts'
import { assignDomains } from './provider-fields.ts'

const parts = useFixture(ssoFixture)

test('a list of domains replaces the earlier one, in any spelling, and only with proved domains', async () => {
  const { owner, provider } = await organizationWithSso(parts)
  const { organizationId } = owner
  const ref = { organizationId, providerId: provider.id }
  const assign = (names: string[]) => inTransaction(parts.db, (tx) => assignDomains(tx, ref, names))
  await approveDomain(parts, { organizationId, name: 'bücher.example' })
  await claimDomain(parts, owner, 'claimed.example')
  expect(await assign(['BÜCHER.example.'])).toEqual(['xn--bcher-kva.example'])
  await expect(assign(['xn--bcher-kva.example', 'claimed.example'])).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  const domains = await listDomains(parts, organizationId)
  expect(domains.filter(({ providerId }) => providerId !== null)).toMatchObject([{ domain: 'xn--bcher-kva.example' }])
})
