// Also tested in: identity/addresses/confirm-password-reset.test.ts (ten wrong tokens close a network).
import { expect, test } from 'vitest'
import { identityFixture } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { clearTokenAttempt, recordTokenAttempt } from './token-attempts.ts'

const parts = useFixture(identityFixture)

test('networks are counted apart, and a valid token clears its network', async () => {
  for (let i = 0; i < 9; i += 1) await recordTokenAttempt(parts, '192.0.2.1')
  const valid = await recordTokenAttempt(parts, '192.0.2.1')
  await expect(recordTokenAttempt(parts, '192.0.2.1')).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
  await recordTokenAttempt(parts, '192.0.2.2')
  await inTransaction(parts.db, (tx) => clearTokenAttempt(tx, valid))
  await recordTokenAttempt(parts, '192.0.2.1')
})
