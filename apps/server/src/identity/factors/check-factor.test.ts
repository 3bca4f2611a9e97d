// Also tested in: identity/sessions/complete-log-in.test.ts and identity/sessions/step-up.test.ts.

import { expect, test } from 'vitest'
import { enrollTotp } from '../../../testing/identity/enroll-factors.ts'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { checkFactor, proofOf } from './check-factor.ts'

const parts = useFixture(identityFixture)

const refusal = new Failure('UNAUTHORIZED')
const check = (user: { organizationId: number; userId: number }, code: string, address: string) =>
  checkFactor(
    parts,
    { user, proof: { kind: 'totp', code }, address, refusal },
    async () => 'done',
    transactOn(parts.db),
  )

test('guesses from ever new addresses end after fifty a day', async () => {
  const { owner } = await organization(parts)
  const { code } = await enrollTotp(parts, owner)
  for (let i = 0; i < 50; i += 1)
    await expect(check(owner, '000000', `198.51.100.${i}`)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  await expect(check(owner, '000000', '203.0.113.1')).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
  parts.clock.advance(30_000)
  expect(await check(owner, code(), '203.0.113.2')).toBe('done')
})

test('work that fails uses up neither code nor attempts', async () => {
  const { owner } = await organization(parts)
  const { code } = await enrollTotp(parts, owner)
  parts.clock.advance(60_000)
  const proof = { kind: 'totp', code: code() } as const
  const work = async () => {
    throw new Error('no work')
  }
  const failing = checkFactor(parts, { user: owner, proof, address: '192.0.2.1', refusal }, work, transactOn(parts.db))
  await expect(failing).rejects.toThrow('no work')
  expect(await check(owner, code(), '192.0.2.1')).toBe('done')
})

test('a request presents exactly one factor', () => {
  expect(proofOf({ totp: '1' }, undefined)).toEqual({ kind: 'totp', code: '1' })
  for (const wrong of [{}, { totp: '1', recoveryCode: '2' }])
    expect(() => proofOf(wrong, undefined)).toThrow('exactly one')
})
