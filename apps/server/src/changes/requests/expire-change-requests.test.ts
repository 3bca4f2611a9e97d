import { expect, test } from 'vitest'
import { HOUR_SECONDS, useChanges } from '../../../testing/changes/use-changes.ts'
import { breakRows } from '../../../testing/database/break-rows.ts'
import { organization } from '../../../testing/identity/identity-fixture.ts'
import { CHANGE_APPROVAL_TIMEOUT_MS, CHANGE_COMPLETION_TIMEOUT_MS } from '../../kernel/index.ts'
import { stateAt } from './change-request.ts'
import { expireChangeRequests } from './expire-change-requests.ts'
import { getChangeRequest, listChangeRequests } from './read-change-requests.ts'

const use = useChanges()
const read = ({ id }: { readonly id: number }) =>
  getChangeRequest(use.parts, { organizationId: use.organizationId, changeRequestId: id })

test('a request that nobody approved in a week expires, with an entry of the service; others stay', async () => {
  await expireChangeRequests(use.parts)
  const request = await use.request()
  use.parts.clock.advance(CHANGE_APPROVAL_TIMEOUT_MS - 1)
  const later = await use.request()
  expect(await expireChangeRequests(use.parts)).toBe(0)
  use.parts.clock.advance(1)
  expect(await expireChangeRequests(use.parts)).toBe(1)
  expect([(await read(request)).state, (await read(later)).state]).toEqual(['expired', 'requested'])
  expect(await use.actions()).toEqual(['requestChange', 'requestChange', 'expireChangeRequest'])
  expect(await expireChangeRequests(use.parts)).toBe(0)
})

test('an approved request expires a week after it cooled off', async () => {
  const request = await use.request()
  await use.approveTwice(request)
  use.parts.clock.advance(HOUR_SECONDS * 1_000 + CHANGE_COMPLETION_TIMEOUT_MS)
  await expireChangeRequests(use.parts)
  expect((await read(request)).state).toBe('expired')
})

test('an overdue request is shown and listed as expired before the sweep', async () => {
  const request = await use.request()
  use.parts.clock.advance(CHANGE_APPROVAL_TIMEOUT_MS)
  expect(stateAt(await read(request), use.parts.clock.now())).toBe('expired')
  const list = async (state: 'requested' | 'expired') =>
    (await listChangeRequests(use.parts, { organizationId: use.organizationId }, { state }, { limit: 10, offset: 0 }))
      .total
  expect([await list('requested'), await list('expired')]).toEqual([0, 1])
})

test('overdue requests of another organization are neither listed nor counted', async () => {
  await use.request()
  const { owner: stranger } = await organization(use.parts)
  use.parts.clock.advance(CHANGE_APPROVAL_TIMEOUT_MS)
  const list = (organizationId: number) =>
    listChangeRequests(use.parts, { organizationId }, { state: 'expired' }, { limit: 10, offset: 0 })
  expect(await list(stranger.organizationId)).toEqual({ items: [], total: 0 })
  expect((await list(use.organizationId)).total).toBe(1)
})

test('a request that cannot expire does not delay the others', async () => {
  const bad = await use.request()
  const good = await use.request()
  use.parts.clock.advance(CHANGE_APPROVAL_TIMEOUT_MS)
  const repair = await breakRows(use.parts.db, { table: 'change_requests', when: `new.id = ${bad.id}` })
  const stored = async ({ id }: { readonly id: number }) =>
    (await use.parts.db.selectFrom('change_requests').select('ended_at').where('id', '=', id).executeTakeFirst())
      ?.ended_at
  await expireChangeRequests(use.parts)
  expect([await stored(bad), await stored(good)]).toEqual([null, expect.any(Date)])
  await repair()
  await expireChangeRequests(use.parts)
  expect(await stored(bad)).toEqual(expect.any(Date))
})
