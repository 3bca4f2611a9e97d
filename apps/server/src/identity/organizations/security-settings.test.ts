import { expect, test } from 'vitest'
import { enrollTotp } from '../../../testing/identity/enroll-factors.ts'
import { expectChanges } from '../../../testing/identity/expect-factors.ts'
import { credentialOf, identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { getSecuritySettings, updateSecuritySettings } from './security-settings.ts'

const parts = useFixture(identityFixture)

test('only an owner who has a second factor can require one; members without one are restricted at once', async () => {
  const { owner } = await organization(parts)
  const member = await newMember(parts, owner, 'admin')
  const require = () => updateSecuritySettings(parts, owner, { secondFactorRequired: true })
  await expectChanges(parts, false, () =>
    expect(require()).rejects.toMatchObject({ code: 'CONFLICT', details: { reason: 'second_factor_missing' } }),
  )
  await enrollTotp(parts, owner)
  expect(await require()).toMatchObject({ secondFactorRequired: true })
  expect(await credentialOf(parts, member.accessToken)).toMatchObject({ enrollmentRequired: true })
  await enrollTotp(parts, member.credential)
  expect(await credentialOf(parts, member.accessToken)).not.toHaveProperty('enrollmentRequired')
  await updateSecuritySettings(parts, owner, { secondFactorRequired: false })
  expect(await getSecuritySettings(parts, owner.organizationId)).toMatchObject({ secondFactorRequired: false })
})
