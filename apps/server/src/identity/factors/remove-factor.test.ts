import { expect, test } from 'vitest'
import { enrollPasskey, enrollTotp } from '../../../testing/identity/enroll-factors.ts'
import { expectChanges } from '../../../testing/identity/expect-factors.ts'
import { credentialOf, identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { updateSecuritySettings } from '../organizations/security-settings.ts'
import { listFactors } from './list-factors.ts'
import { removePasskey, removeTotp } from './remove-factor.ts'

const parts = useFixture(identityFixture)

test('removing the last factor also removes the recovery codes', async () => {
  const { owner, accessToken } = await organization(parts)
  await enrollTotp(parts, owner)
  const { id } = await enrollPasskey(parts, owner)
  await removeTotp(parts, owner)
  expect(await listFactors(parts, owner)).toMatchObject({ totpSince: null, passkeys: [{ id }], recoveryCodesLeft: 10 })
  await removePasskey(parts, owner, id)
  expect(await listFactors(parts, owner)).toEqual({ totpSince: null, passkeys: [], recoveryCodesLeft: 0 })
  expect((await credentialOf(parts, accessToken)).secondFactor).toBeUndefined()
})

test('the last factor stays while the organization requires one', async () => {
  const { owner } = await organization(parts)
  const { id } = await enrollPasskey(parts, owner)
  await updateSecuritySettings(parts, owner, { secondFactorRequired: true })
  await expectChanges(parts, false, () =>
    expect(removePasskey(parts, owner, id)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'second_factor_required' },
    }),
  )
})

test('nobody removes what is not theirs or not there', async () => {
  const { owner } = await organization(parts)
  const { owner: other } = await organization(parts)
  const { id } = await enrollPasskey(parts, owner)
  await expectChanges(parts, false, async () => {
    await expect(removePasskey(parts, other, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(removeTotp(parts, owner)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
