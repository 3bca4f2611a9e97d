import { expect, test } from 'vitest'
import { hashNewPassword } from './hash-new-password.ts'
import { passwordMatches } from './password.ts'
import { strongPasswords } from './strong-passwords.ts'

const passwordRules = strongPasswords()

test('without rules the length alone decides', async () => {
  const hash = await hashNewPassword({}, { password: 'passwordpassword', about: [] })
  expect(await passwordMatches(hash, 'passwordpassword')).toBe(true)
})

test('a refusal names the field of the request', async () => {
  const weak = hashNewPassword(
    { passwordRules },
    { password: 'Acme Payments', path: 'newPassword', about: ['Acme Payments', null] },
  )
  await expect(weak).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { issues: [{ path: 'newPassword', message: expect.stringContaining('easy to guess') }] },
  })
  const strong = await hashNewPassword({ passwordRules }, { password: 'maple-orbit-cactus', about: [undefined] })
  expect(await passwordMatches(strong, 'maple-orbit-cactus')).toBe(true)
})
