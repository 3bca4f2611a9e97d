// Also tested in: redeem-invitation.test.ts (who can use it, how often and how long).
import { expect, test } from 'vitest'
import { identityFixture } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { createInvitation } from './create-invitation.ts'

const parts = useFixture(identityFixture)

test('an invitation is stored as a hash, with the address in lower case and an expiry a week away', async () => {
  const { token, expiresAt } = await createInvitation(parts, { email: 'Ada@Acme.example' })
  expect(token).toMatch(/^inv_[0-9A-Za-z]{36}$/)
  const [row] = await parts.db.selectFrom('registration_invitations').selectAll().execute()
  expect(row).toMatchObject({ email: 'ada@acme.example', used_at: null, organization_id: null, expires_at: expiresAt })
  expect(expiresAt.getTime() - parts.clock.now().getTime()).toBe(7 * 86_400_000)
  expect(JSON.stringify(row)).not.toContain(token)
})

test('text that is not an address is refused', async () => {
  await expect(createInvitation(parts, { email: 'ada' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
})
