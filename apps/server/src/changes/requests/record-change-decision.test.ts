// Also tested elsewhere: by approve-change-request.test.ts and reject-change-request.test.ts.
import { expect, test } from 'vitest'
import { useChanges } from '../../../testing/changes/use-changes.ts'
import { inTransaction } from '../../database/index.ts'
import { getChangeRequest } from './read-change-requests.ts'
import { recordChangeDecision } from './record-change-decision.ts'

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
