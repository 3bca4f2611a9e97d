import { expect, test } from 'vitest'
import { provesSecondFactor } from './proves-second-factor.ts'

test.each([
  [{ amr: ['pwd', 'mfa'] }, true],
  [{ acr: 'http://schemas.openid.net/pape/policies/2007/06/multi-factor' }, true],
  [{ amr: ['pwd', 'otp'] }, false],
  [{ amr: 'mfa' }, false],
  [{ acr: '1' }, false],
  [{}, false],
])('%o proves a second factor: %s', (claims, proves) => {
  expect(provesSecondFactor(claims)).toBe(proves)
})
