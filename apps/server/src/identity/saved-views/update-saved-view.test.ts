import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { removeMember } from '../members/remove-member.ts'
import { createSavedView } from './create-saved-view.ts'
import { listSavedViews } from './list-saved-views.ts'
import { updateSavedView } from './update-saved-view.ts'

const parts = useFixture(identityFixture)

async function people() {
  const { owner } = await organization(parts)
  const other = (await newMember(parts, owner, 'admin')).credential
  const fields = { organizationId: owner.organizationId, path: '/app/operations', query: 'status=FAILED' }
  const view = await createSavedView(parts, { ...fields, userId: owner.userId, name: 'Failed', isShared: false })
  return { owner, other, view, fields }
}

test('its maker renames, refills, shares and hides a view', async () => {
  const { owner, view } = await people()
  parts.clock.advance(1_000)
  const change = (fields: object) => updateSavedView(parts, owner, { viewId: view.id, fields })
  const renamed = await change({ name: 'Ended badly' })
  expect(renamed).toEqual({ ...view, name: 'Ended badly', updatedAt: parts.clock.now() })
  expect(await change({ query: 'status=ABORTED', isShared: true })).toMatchObject({
    name: 'Ended badly',
    query: 'status=ABORTED',
    isShared: true,
  })
  expect(await change({ isShared: false })).toMatchObject({ isShared: false })
  await expect(change({ name: ' ' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
})

test('a name of one’s own on the page is refused, also of two changes at once', async () => {
  const { owner, view, fields } = await people()
  await createSavedView(parts, { ...fields, userId: owner.userId, name: 'Other', isShared: false })
  const change = { viewId: view.id, fields: { name: 'Other' } }
  await expect(updateSavedView(parts, owner, change)).rejects.toMatchObject({ code: 'CONFLICT' })
  const third = await createSavedView(parts, { ...fields, userId: owner.userId, name: 'Third', isShared: false })
  const rename = (viewId: number) => updateSavedView(parts, owner, { viewId, fields: { name: 'Once' } })
  const outcomes = await Promise.allSettled([rename(view.id), rename(third.id)])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } })
})

test('others see no view that is not shared, and change none that is', async () => {
  const { owner, other, view } = await people()
  const change = { viewId: view.id, fields: { name: 'Mine now' } }
  await expect(updateSavedView(parts, other, change)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await updateSavedView(parts, owner, { viewId: view.id, fields: { isShared: true } })
  await expect(updateSavedView(parts, other, change)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  const { owner: stranger } = await organization(parts)
  await expect(updateSavedView(parts, stranger, change)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('removing a member removes the views that nobody else saw', async () => {
  const { owner, other, fields } = await people()
  for (const isShared of [false, true])
    await createSavedView(parts, { ...fields, userId: other.userId, name: `Shared: ${isShared}`, isShared })
  await removeMember(parts, owner, other.userId)
  const left = parts.db.selectFrom('saved_views').select('name').where('created_by', '=', other.userId)
  expect(await left.execute()).toEqual([{ name: 'Shared: true' }])
  const all = await listSavedViews(parts, owner, undefined, { limit: null, offset: 0 })
  expect(all.items.map(({ name }) => name)).toEqual(['Shared: true', 'Failed'])
})
