import { expect, test } from 'vitest'
import { useChanges } from '../../../testing/changes/use-changes.ts'
import { approveChangeRequest } from './approve-change-request.ts'
import { approvalsOf, getChangeRequest, listChangeRequests } from './read-change-requests.ts'
import { rejectChangeRequest } from './reject-change-request.ts'

const use = useChanges()

/** Changes the last byte of a request's sealed content. */
async function damage(id: number): Promise<void> {
  const { content } = await use.parts.db
    .selectFrom('change_requests')
    .select('content')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  content[content.length - 1]! ^= 1
  await use.parts.db.updateTable('change_requests').set({ content }).where('id', '=', id).execute()
}
const ref = (id: number) => ({ organizationId: use.organizationId, changeRequestId: id })

test('a damaged request hides no other, and says that it cannot be read', async () => {
  const [intact, damaged] = [await use.request(), await use.request({ fingerprint: Buffer.alloc(32, 7) })]
  await damage(damaged.id)
  const { items } = await listChangeRequests(
    use.parts,
    { organizationId: use.organizationId },
    {},
    { limit: 10, offset: 0 },
  )
  expect(items.map(({ id, content, isReadable }) => ({ id, summary: content.summary, isReadable }))).toEqual([
    { id: damaged.id, summary: '[unreadable]', isReadable: false },
    { id: intact.id, summary: intact.content.summary, isReadable: true },
  ])
})

test('nobody approves what they cannot read, and anybody may still reject it', async () => {
  const { id } = await use.request()
  await damage(id)
  const input = { ...ref(id), userId: use.ids.grace }
  await expect(approveChangeRequest(use.parts, input)).rejects.toMatchObject({
    code: 'CONFLICT',
    details: { reason: 'change_request_unreadable', changeRequestId: id },
  })
  expect(approvalsOf(await getChangeRequest(use.parts, ref(id)))).toBe(0)
  expect(await rejectChangeRequest(use.parts, input)).toMatchObject({ state: 'rejected' })
})
