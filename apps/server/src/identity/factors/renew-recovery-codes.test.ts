import { expect, test } from 'vitest'
import { enrollTotp } from '../../../testing/identity/enroll-factors.ts'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { consumeRecoveryCode } from './recovery-codes.ts'
import { renewRecoveryCodes } from './renew-recovery-codes.ts'

const parts = useFixture(identityFixture)

test('new recovery codes replace the earlier ones', async () => {
  const { owner } = await organization(parts)
  const { recoveryCodes: before } = await enrollTotp(parts, owner)
  const after = await renewRecoveryCodes(parts, owner)
  const works = (code: string) => inTransaction(parts.db, (tx) => consumeRecoveryCode(tx, parts, owner, code))
  expect(await works(before[0]!)).toBe(false)
  expect(await works(after[0]!)).toBe(true)
})

test('a user without a second factor gets none', async () => {
  const { owner } = await organization(parts)
  await expect(renewRecoveryCodes(parts, owner)).rejects.toMatchObject({ code: 'CONFLICT' })
})
