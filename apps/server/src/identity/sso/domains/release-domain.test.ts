import { expect, test } from 'vitest'
import { organization } from '../../../../testing/identity/identity-fixture.ts'
import { organizationWithSso, ssoFixture } from '../../../../testing/identity/sso-fixture.ts'
import { useFixture } from '../../../../testing/use-fixture.ts'
import { listProviders } from '../providers/list-providers.ts'
import { approveDomain } from './approve-domain.ts'
import { listDomains } from './list-domains.ts'
import { releaseDomain } from './release-domain.ts'

const parts = useFixture(ssoFixture)

test('a released domain leaves its provider, and another organization can prove it', async () => {
  const { owner, domain } = await organizationWithSso(parts)
  const other = (await organization(parts)).owner
  const taken = { code: 'CONFLICT', details: { reason: 'domain_taken' } }
  const approve = () => approveDomain(parts, { organizationId: other.organizationId, name: domain })
  await expect(approve()).rejects.toMatchObject(taken)
  const [held] = await listDomains(parts, owner.organizationId)
  await expect(releaseDomain(parts, other, held!.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await releaseDomain(parts, owner, held!.id)
  expect(await listDomains(parts, owner.organizationId)).toEqual([])
  expect(await listProviders(parts, owner.organizationId)).toMatchObject([{ domains: [] }])
  expect(await approve()).toMatchObject({ domain, verifiedAt: expect.any(Date) })
})
