// Also tested in: identity/factors/confirm-totp.test.ts and identity/factors/add-passkey.test.ts.

import { expect, test } from 'vitest'
import { enrollTotp } from '../../../testing/identity/enroll-factors.ts'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { endSession } from '../sessions/end-session.ts'
import { activateFactor } from './activate-factor.ts'

const parts = useFixture(identityFixture)

test('a session that ended meanwhile activates nothing', async () => {
  const { owner } = await organization(parts)
  await endSession(parts, owner, owner.sessionId)
  let isStored = false
  const activated = inTransaction(parts.db, (tx) =>
    activateFactor(tx, parts, owner, async () => {
      isStored = true
    }),
  )
  await expect(activated).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(isStored).toBe(true)
})

test('a further factor keeps recovery codes and sessions', async () => {
  const { owner } = await organization(parts)
  await enrollTotp(parts, owner)
  const again = await inTransaction(parts.db, (tx) => activateFactor(tx, parts, owner, async () => {}))
  expect(again).toEqual({ recoveryCodes: null, ended: 0, cookie: undefined })
})
