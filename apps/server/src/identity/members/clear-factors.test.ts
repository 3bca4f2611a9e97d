// Also tested in: identity/members/reset-member-factors.test.ts and identity/members/recover-owner.test.ts.

import { expect, test } from 'vitest'
import { enrollPasskey, enrollTotp } from '../../../testing/identity/enroll-factors.ts'
import { expectChanges } from '../../../testing/identity/expect-factors.ts'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { listFactors } from '../factors/list-factors.ts'
import { clearFactors } from './clear-factors.ts'

const parts = useFixture(identityFixture)

test('all factors and recovery codes of one member go, and those of nobody else', async () => {
  const { owner } = await organization(parts)
  const { owner: other } = await organization(parts)
  for (const user of [owner, other]) {
    await enrollTotp(parts, user)
    await enrollPasskey(parts, user)
  }
  const { organizationId, userId: id } = owner
  await inTransaction(parts.db, (tx) => clearFactors(tx, { organizationId, id }))
  expect(await listFactors(parts, owner)).toEqual({ totpSince: null, passkeys: [], recoveryCodesLeft: 0 })
  expect(await listFactors(parts, other)).toMatchObject({ passkeys: [{}], recoveryCodesLeft: 10 })
  await expectChanges(parts, false, () =>
    inTransaction(parts.db, (tx) => clearFactors(tx, { organizationId: organizationId + 1_000, id: other.userId })),
  )
})
