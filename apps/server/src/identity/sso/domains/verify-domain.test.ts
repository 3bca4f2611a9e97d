import { expect, test } from 'vitest'
import { organization } from '../../../../testing/identity/identity-fixture.ts'
import { ssoFixture } from '../../../../testing/identity/sso-fixture.ts'
import { failingTransact } from '../../../../testing/index.ts'
import { useFixture } from '../../../../testing/use-fixture.ts'
import { claimDomain } from './claim-domain.ts'
import { listDomains } from './list-domains.ts'
import { verifyDomain } from './verify-domain.ts'

const parts = useFixture(ssoFixture)

const conflict = (reason: string) => ({ code: 'CONFLICT', details: expect.objectContaining({ reason }) })

test('a domain is proved by the organization’s own record, among others', async () => {
  const { owner } = await organization(parts)
  const claimed = await claimDomain(parts, owner, 'proved.example')
  await expect(verifyDomain(parts, owner, claimed.id)).rejects.toMatchObject(conflict('record_not_found'))
  parts.records.set(claimed.recordName, ['something else', claimed.recordValue])
  await expect(verifyDomain(parts, owner, claimed.id, failingTransact(parts.db, 'the response'))).rejects.toThrow()
  expect(await listDomains(parts, owner.organizationId)).toMatchObject([{ verifiedAt: null }])
  const proved = await verifyDomain(parts, owner, claimed.id)
  expect(proved.verifiedAt).toEqual(parts.clock.now())
  parts.clock.advance(1_000)
  expect(await verifyDomain(parts, owner, claimed.id)).toEqual(proved)
})

test('the record of another organization proves nothing', async () => {
  const ours = (await organization(parts)).owner
  const theirs = (await organization(parts)).owner
  const claimed = await claimDomain(parts, ours, 'watched.example')
  const copied = await claimDomain(parts, theirs, 'watched.example')
  parts.records.set(claimed.recordName, [claimed.recordValue])
  await expect(verifyDomain(parts, theirs, copied.id)).rejects.toMatchObject(conflict('record_not_found'))
  await expect(verifyDomain(parts, theirs, claimed.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('name servers that do not respond prove nothing', async () => {
  const { owner } = await organization(parts)
  const claimed = await claimDomain(parts, owner, 'silent.example')
  const resolveTxt = async () => {
    throw new Error('queryTxt ETIMEOUT')
  }
  const silent = { ...parts, sso: { ...parts.sso, resolveTxt } }
  await expect(verifyDomain(silent, owner, claimed.id)).rejects.toMatchObject(conflict('dns_unavailable'))
})
