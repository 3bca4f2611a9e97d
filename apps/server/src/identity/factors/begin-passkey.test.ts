// Also tested in: identity/factors/add-passkey.test.ts (what the options lead to).

import { expect, test } from 'vitest'
import { enrollPasskey } from '../../../testing/identity/enroll-factors.ts'
import { expectChanges } from '../../../testing/identity/expect-factors.ts'
import { identityFixture, organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { beginPasskey } from './begin-passkey.ts'

const parts = useFixture(identityFixture)

const address = '192.0.2.1'

test('the options demand a verified user and exclude the passkeys that there are', async () => {
  const { owner, user } = await organization(parts)
  const { authenticator } = await enrollPasskey(parts, owner)
  expect(await beginPasskey(parts, owner, { currentPassword: PASSWORD, address })).toMatchObject({
    rp: { id: 'localhost', name: 'Weir' },
    user: { name: user.email },
    attestation: 'none',
    authenticatorSelection: { userVerification: 'required' },
    excludeCredentials: [{ id: authenticator.credentialId, type: 'public-key', transports: ['internal'] }],
  })
})

test('a stolen access token without the password starts no enrollment', async () => {
  const { owner } = await organization(parts)
  parts.clock.advance(300_000)
  for (const [input, code] of [
    [{ address }, 'FORBIDDEN'],
    [{ address, currentPassword: 'not the password' }, 'VALIDATION_ERROR'],
  ] as const)
    await expectChanges(parts, false, () => expect(beginPasskey(parts, owner, input)).rejects.toMatchObject({ code }))
  expect(
    await parts.db.selectFrom('factor_challenges').select('purpose').where('user_id', '=', owner.userId).execute(),
  ).toEqual([])
})
