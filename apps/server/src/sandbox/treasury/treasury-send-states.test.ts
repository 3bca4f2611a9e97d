// Also tested in: sandbox/treasury/resend-stored.test.ts (payments that are sent again, land, or go stale).

import { expect, test } from 'vitest'
import { TREASURY_SEND } from './treasury-send-states.ts'

test('the latest word of the chain counts in every state', () => {
  for (const event of TREASURY_SEND.events) {
    expect(TREASURY_SEND.statesBefore(event).toSorted()).toEqual(TREASURY_SEND.states.toSorted())
    expect(new Set(TREASURY_SEND.states.map((from) => TREASURY_SEND.find(from, event)?.to)).size).toBe(1)
  }
})
