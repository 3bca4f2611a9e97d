import { expect, test } from 'vitest'
import { identityFixture, organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { requireOwnPassword } from './require-own-password.ts'

const parts = useFixture(identityFixture)

const address = '192.0.2.1'

test('a session of the last five minutes needs no password, an older one does', async () => {
  const { owner } = await organization(parts)
  parts.clock.advance(299_999)
  await requireOwnPassword(parts, owner, { address })
  parts.clock.advance(1)
  await expect(requireOwnPassword(parts, owner, { address })).rejects.toMatchObject({
    code: 'FORBIDDEN',
    details: { reason: 'password_required' },
  })
  await requireOwnPassword(parts, owner, { address, currentPassword: PASSWORD })
})

test('wrong passwords count like failed logins', async () => {
  const { owner } = await organization(parts)
  const guess = () => requireOwnPassword(parts, owner, { address, currentPassword: 'not the password' })
  for (let i = 0; i < 10; i += 1) await expect(guess()).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  await expect(guess()).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
  const right = requireOwnPassword(parts, owner, { address, currentPassword: PASSWORD })
  await expect(right).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
})
