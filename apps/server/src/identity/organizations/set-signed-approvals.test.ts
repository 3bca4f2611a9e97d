// Also tested elsewhere: what it requires of approvals (surfaces/core/operations/signed-approvals.test.ts).
import { expect, test } from 'vitest'
import { enrollPasskey, enrollTotp } from '../../../testing/identity/enroll-factors.ts'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { getSecuritySettings, updateSecuritySettings } from './security-settings.ts'
import { setSignedApprovals } from './set-signed-approvals.ts'

const parts = useFixture(identityFixture)

test('only an owner with a passkey can require signatures; nobody needs one to lift it', async () => {
  const { owner } = await organization(parts)
  const other = await organization(parts)
  await enrollTotp(parts, owner)
  await expect(setSignedApprovals(parts, owner, true)).rejects.toMatchObject({
    code: 'CONFLICT',
    details: { reason: 'passkey_missing' },
  })
  expect(await setSignedApprovals(parts, owner, false)).toMatchObject({ signedApprovals: false })
  parts.clock.advance(60_000)
  await enrollPasskey(parts, owner)
  expect(await setSignedApprovals(parts, owner, true)).toMatchObject({ signedApprovals: true })
  expect(await getSecuritySettings(parts, other.owner.organizationId)).toMatchObject({ signedApprovals: false })
})

test('a change of other settings leaves it as it is', async () => {
  const { owner } = await organization(parts)
  await enrollPasskey(parts, owner)
  await setSignedApprovals(parts, owner, true)
  expect(await updateSecuritySettings(parts, owner, { approvalMails: false })).toEqual({
    secondFactorRequired: false,
    signedApprovals: true,
    approvalMails: false,
  })
})
