// Also tested elsewhere: by approve-change-request.test.ts and reject-change-request.test.ts.
import { expect, test } from 'vitest'
import { useChanges } from '../../../testing/changes/use-changes.ts'
import { inTransaction } from '../../database/index.ts'
import { getChangeRequest } from './read-change-requests.ts'
import { type RecordedDecision, recordChangeDecision } from './record-change-decision.ts'

const use = useChanges()

test('a repeated decision keeps its time, and a new decision replaces the old one', async () => {
  const request = await use.request()
  const first = use.parts.clock.now()
  const decide = (decision: 'approve' | 'reject') =>
    inTransaction(use.parts.db, (tx) =>
      recordChangeDecision(tx, { request, userId: use.ids.grace, decision, at: use.parts.clock.now() }),
    )
  const decisions = async () =>
    (await getChangeRequest(use.parts, { organizationId: use.organizationId, changeRequestId: request.id })).decisions
  await decide('approve')
  use.parts.clock.advance(1_000)
  await decide('approve')
  expect(await decisions()).toMatchObject([{ decision: 'approve', at: first }])
  await decide('reject')
  expect(await decisions()).toMatchObject([{ decision: 'reject', at: use.parts.clock.now() }])
})

test('an explanation replaces an earlier one and keeps the time of the decision; another decision replaces both', async () => {
  const request = await use.request()
  const first = use.parts.clock.now()
  const decide = async (decision: 'approve' | 'reject', explanation?: RecordedDecision['explanation']) => {
    await inTransaction(use.parts.db, (tx) =>
      recordChangeDecision(tx, { request, userId: use.ids.grace, decision, at: use.parts.clock.now(), explanation }),
    )
    use.parts.clock.advance(1_000)
    return await use.parts.db
      .selectFrom('change_decisions')
      .select(['decision', 'created_at', 'reason', 'link', 'file_sha256'])
      .where('change_request_id', '=', request.id)
      .executeTakeFirstOrThrow()
  }
  const none = { reason: null, link: null, file_sha256: null }
  const approved = { decision: 'approve', created_at: first, ...none }
  expect(await decide('approve', { reason: 'Ticket 7' })).toEqual({ ...approved, reason: 'Ticket 7' })
  expect(await decide('approve')).toEqual({ ...approved, reason: 'Ticket 7' })
  expect(await decide('approve', {})).toEqual({ ...approved, reason: 'Ticket 7' })
  const link = 'https://tickets.example/7'
  expect(await decide('approve', { link })).toEqual({ ...approved, link })
  const fileSha256 = 'ab'.repeat(32)
  expect(await decide('approve', { fileSha256 })).toEqual({ ...approved, file_sha256: fileSha256 })
  const rejectedAt = use.parts.clock.now()
  expect(await decide('reject')).toEqual({ decision: 'reject', created_at: rejectedAt, ...none })
})
