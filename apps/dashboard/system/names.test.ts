import { expect, test } from 'vitest'
import { SECURITY_EVENT_TYPES } from '../../server/src/identity/index.ts'
import { EVENT_NAMES as ALL_NAMES } from '../../server/src/webhooks/index.ts'
import { EVENT_NAMES, WEBHOOK_EVENTS } from '../src/pages/activity/event-names.ts'
import { EVENT_TYPES } from '../src/pages/settings/event-types.ts'

test('the dashboard names each event, and those that a webhook can ask for', () => {
  expect(EVENT_NAMES.toSorted()).toEqual(ALL_NAMES.toSorted())
  expect(WEBHOOK_EVENTS.toSorted()).toEqual(ALL_NAMES.filter((name) => !name.startsWith('webhook.')).toSorted())
})

test('the dashboard has words for each type of security event', () => {
  expect(EVENT_TYPES.toSorted()).toEqual(Object.keys(SECURITY_EVENT_TYPES).toSorted())
})
