import { expect, test } from 'vitest'
import { organization } from '../../../../testing/identity/identity-fixture.ts'
import { ssoFixture } from '../../../../testing/identity/sso-fixture.ts'
import { useFixture } from '../../../../testing/use-fixture.ts'
import { listAuditLog } from '../../audit/list-audit-log.ts'
import { approveDomain } from './approve-domain.ts'
import { listDomains } from './list-domains.ts'

const parts = useFixture(ssoFixture)

test('the operator vouches for a domain, and the audit log says so', async () => {
  const { organizationId } = (await organization(parts)).owner
  const approved = await approveDomain(parts, { organizationId, name: 'Intern.Acme.Example' })
  expect(approved).toMatchObject({ domain: 'intern.acme.example', verifiedAt: expect.any(Date) })
  expect(await listDomains(parts, organizationId)).toEqual([approved])
  const { items } = await listAuditLog(parts, organizationId, {}, { limit: 1, offset: 0 })
  expect(items[0]).toMatchObject({
    action: 'approveSsoDomain',
    actor: { type: 'system' },
    details: expect.stringContaining('intern.acme.example'),
  })
})

test('an unknown organization and a malformed name are refused', async () => {
  const { organizationId } = (await organization(parts)).owner
  await expect(approveDomain(parts, { organizationId: 2 ** 40, name: 'a.example' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  await expect(approveDomain(parts, { organizationId, name: 'localhost' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  })
})
