// A policy must not wait for a member whom nobody signs in. identity/members/read-ways-in.test.ts tests who can.
import { expect, test } from 'vitest'
import { addApprover } from '../../../testing/changes/add-approver.ts'
import { organizationWithSso, type SsoFixture, ssoFixture } from '../../../testing/identity/sso-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { deleteProvider } from '../../identity/index.ts'
import { NO_PASSWORD } from '../../identity/members/password.ts'
import { updateChangePolicy } from './update-change-policy.ts'

const parts = useFixture<SsoFixture>(ssoFixture)

test('a policy is refused that only a member of a deleted identity provider could satisfy', async () => {
  const { owner, provider } = await organizationWithSso(parts)
  const { organizationId } = owner
  const bob = await addApprover(parts, organizationId, 'approver')
  await parts.db.updateTable('users').set({ password_hash: NO_PASSWORD }).where('id', '=', bob).execute()
  const at = parts.clock.now()
  await parts.db
    .insertInto('sso_identities')
    .values({
      organization_id: organizationId,
      user_id: bob,
      issuer: provider.issuer,
      subject: 'bob',
      created_at: at,
      last_used_at: at,
    })
    .execute()
  await deleteProvider(parts, owner, provider.id)
  const rules = { members: { requiredApprovals: 1, coolingOffSeconds: 0 } }
  await expect(updateChangePolicy(parts, owner, { rules })).rejects.toMatchObject({
    code: 'CONFLICT',
    details: { reason: 'too_few_approvers' },
  })
})
