import { expect, test } from 'vitest'
import { codeAt, enrollTotp } from '../../../testing/identity/enroll-factors.ts'
import { expectChanges } from '../../../testing/identity/expect-factors.ts'
import { credentialOf, identityFixture, organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { logIn } from '../../../testing/identity/log-in.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { authenticateBearer } from '../sessions/authenticate-bearer.ts'
import type { ActivatedFactor } from './activate-factor.ts'
import { beginTotp } from './begin-totp.ts'
import { confirmTotp } from './confirm-totp.ts'
import { consumeTotpCode } from './consume-totp-code.ts'

const parts = useFixture(identityFixture)

const address = '192.0.2.1'

test('the first code activates the app, ends the other sessions, and steps this one up', async () => {
  const { owner, user, accessToken } = await organization(parts)
  const other = await logIn(parts, { email: user.email, password: PASSWORD, address })
  const { recoveryCodes, ended } = await enrollTotp(parts, owner)
  expect(ended).toBe(1)
  expect(await authenticateBearer(parts, other.accessToken)).toBeUndefined()
  expect((await credentialOf(parts, accessToken)).secondFactor).toEqual({ kinds: ['totp'], isStale: false })
  expect(new Set(recoveryCodes).size).toBe(10)
})

test('the code that confirmed the app does not count again', async () => {
  const { owner } = await organization(parts)
  const { code } = await enrollTotp(parts, owner)
  expect(await inTransaction(parts.db, (tx) => consumeTotpCode(tx, parts, owner, code()))).toBe(false)
})

test.each([
  ['a wrong code', (secret: string, now: Date) => codeAt(secret, new Date(now.getTime() + 3_600_000)), 0],
  ['text', () => 'abcdef', 0],
  ['a code after a quarter of an hour', (secret: string, now: Date) => codeAt(secret, now), 900_001],
])('%s confirms nothing', async (_, codeOf, pause) => {
  const { owner } = await organization(parts)
  const { secret } = await beginTotp(parts, owner, { currentPassword: PASSWORD, address })
  parts.clock.advance(pause)
  const code = codeOf(secret, parts.clock.now())
  await expectChanges(parts, false, () => expect(confirmTotp(parts, owner, { code, address })).rejects.toThrow())
})

test('after ten wrong codes from an address, the right one is refused too', async () => {
  const { owner } = await organization(parts)
  const { secret } = await beginTotp(parts, owner, { currentPassword: PASSWORD, address })
  for (let i = 0; i < 10; i += 1) await confirmTotp(parts, owner, { code: '000000', address }).catch(() => undefined)
  const code = codeAt(secret, parts.clock.now())
  await expect(confirmTotp(parts, owner, { code, address })).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
})

test('a confirmation that fails to commit activates nothing', async () => {
  const { owner } = await organization(parts)
  const { secret } = await beginTotp(parts, owner, { currentPassword: PASSWORD, address })
  const transact = failingTransact<ActivatedFactor>(parts.db, 'the response was not recorded')
  const code = codeAt(secret, parts.clock.now())
  await expectChanges(parts, false, () =>
    expect(confirmTotp(parts, owner, { code, address }, transact)).rejects.toThrow('not recorded'),
  )
})
