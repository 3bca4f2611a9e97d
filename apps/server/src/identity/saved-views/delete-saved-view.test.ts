import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { createSavedView } from './create-saved-view.ts'
import { deleteSavedView } from './delete-saved-view.ts'

const parts = useFixture(identityFixture)

test('its maker deletes a view; an owner or admin one that is shared, and nobody else', async () => {
  const { owner } = await organization(parts)
  const { organizationId } = owner
  const approver = (await newMember(parts, owner, 'approver')).credential
  const viewer = (await newMember(parts, owner, 'viewer')).credential
  const make = (name: string, isShared: boolean) =>
    createSavedView(parts, {
      organizationId,
      userId: viewer.userId,
      name,
      path: '/app/wallets',
      query: 'q=a',
      isShared,
    })
  const own = await make('Own', false)
  const shared = await make('Shared', true)
  const { owner: stranger } = await organization(parts)
  for (const [who, view, code] of [
    [owner, own, 'NOT_FOUND'],
    [stranger, own, 'NOT_FOUND'],
    [stranger, shared, 'NOT_FOUND'],
    [approver, shared, 'FORBIDDEN'],
  ] as const)
    await expect(deleteSavedView(parts, who, view.id)).rejects.toMatchObject({ code })
  await deleteSavedView(parts, viewer, own.id)
  await deleteSavedView(parts, owner, shared.id)
  await expect(deleteSavedView(parts, owner, shared.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
