import { expect, test } from 'vitest'
import { heldBy } from './held-by.ts'

const pending = { id: 5, status: 'PENDING_APPROVAL' }
const executing = { id: 6, status: 'EXECUTING' }

test('what one operation holds that waits for an approval is held until somebody decides', () => {
  expect(heldBy([pending], 1)).toEqual({
    what: 'operation 5',
    until: 'it is approved or rejected',
    search: { open: 5 },
  })
})

test('what one operation holds that is signed is held until it has ended', () => {
  expect(heldBy([executing], 1)).toEqual({ what: 'operation 6', until: 'it has ended', search: { open: 6 } })
})

test('several that all wait for an approval are listed by this state, and others in the inbox', () => {
  expect(heldBy([pending, { ...pending, id: 7 }], 2)).toEqual({
    what: '2 unfinished deposits',
    until: 'they are approved or rejected',
    search: { type: 'SUPPLY', status: 'PENDING_APPROVAL' },
  })
  expect(heldBy([pending, executing], 2)).toMatchObject({ until: 'they have ended', search: { type: 'SUPPLY' } })
})

test('nothing is said of operations that were not read', () => {
  expect(heldBy([pending], 30)).toEqual({
    what: '30 unfinished deposits',
    until: 'they have ended',
    search: { type: 'SUPPLY' },
  })
  expect(heldBy([], 0)).toEqual({ what: 'unfinished deposits', until: 'they have ended', search: { type: 'SUPPLY' } })
})
