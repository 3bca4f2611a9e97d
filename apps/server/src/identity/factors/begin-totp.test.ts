import { expect, test } from 'vitest'
import { codeAt, enrollTotp } from '../../../testing/identity/enroll-factors.ts'
import { expectChanges } from '../../../testing/identity/expect-factors.ts'
import { identityFixture, organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { beginTotp } from './begin-totp.ts'
import { confirmTotp } from './confirm-totp.ts'

const parts = useFixture(identityFixture)

const address = '192.0.2.1'

test('an app gets a secret that the database holds sealed only', async () => {
  const { owner, user } = await organization(parts)
  const { secret, uri } = await beginTotp(parts, owner, { currentPassword: PASSWORD, address })
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(decodeURIComponent(uri)).toContain(`otpauth://totp/Weir:${user.email}`)
  expect(uri).toContain(secret)
  const row = await parts.db
    .selectFrom('user_totp')
    .selectAll()
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  expect(row.sealed_secret.toString('latin1')).not.toContain(secret)
  expect(row.confirmed_at).toBeNull()
})

test('beginning again replaces the secret, so a code of the first one confirms nothing', async () => {
  const { owner } = await organization(parts)
  const first = await beginTotp(parts, owner, { currentPassword: PASSWORD, address })
  await beginTotp(parts, owner, { currentPassword: PASSWORD, address })
  const code = codeAt(first.secret, parts.clock.now())
  await expectChanges(parts, false, () =>
    expect(confirmTotp(parts, owner, { code, address })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' }),
  )
})

test('a user who has an app gets no second one', async () => {
  const { owner } = await organization(parts)
  await enrollTotp(parts, owner)
  await expectChanges(parts, false, () =>
    expect(beginTotp(parts, owner, { currentPassword: PASSWORD, address })).rejects.toMatchObject({ code: 'CONFLICT' }),
  )
})
