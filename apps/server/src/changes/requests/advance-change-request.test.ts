// Also tested elsewhere: sequences of all steps (random-change-sequences.test.ts).
import { expect, test } from 'vitest'
import { useChanges } from '../../../testing/changes/use-changes.ts'
import { inTransaction } from '../../database/index.ts'
import { advanceChangeRequest } from './advance-change-request.ts'
import { CHANGE_REQUEST } from './change-states.ts'
import { getChangeRequest } from './read-change-requests.ts'

const use = useChanges()

test('every transition of the table is stored, and an event without one is refused', async () => {
  for (const from of ['requested', 'approved'] as const) {
    for (const event of CHANGE_REQUEST.events) {
      let request = await use.request({ rule: { requiredApprovals: 1, coolingOffSeconds: 0 } })
      if (from === 'approved') request = await use.approve(request, use.ids.grace)
      const move = () =>
        inTransaction(use.parts.db, (tx) => advanceChangeRequest(tx, request, event, use.parts.clock.now()))
      const to = CHANGE_REQUEST.find(from, event)?.to
      if (to === undefined) await expect(move(), `${from} ${event}`).rejects.toThrow('assertion failed')
      else expect((await move()).state).toBe(to)
      const ref = { organizationId: use.organizationId, changeRequestId: request.id }
      expect((await getChangeRequest(use.parts, ref)).state, `${from} ${event}`).toBe(to ?? from)
    }
  }
})

test('a request that ended has no further transition', () => {
  for (const state of ['rejected', 'cancelled', 'expired', 'completed'] as const)
    for (const event of CHANGE_REQUEST.events) expect(CHANGE_REQUEST.find(state, event)).toBeUndefined()
})
