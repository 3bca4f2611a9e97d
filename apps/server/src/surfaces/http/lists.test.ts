import { expect, test } from 'vitest'
import { windowOf } from './lists.ts'

test('a page is a window of as many entries as fit, counted from 1', () => {
  expect(windowOf({ limit: 50, offset: 0 })).toEqual({ limit: 50, offset: 0 })
  expect(windowOf({ limit: 20, offset: 7, page: 3 })).toEqual({ limit: 20, offset: 40 })
  expect(windowOf({ page: 1, per_page: 20 })).toEqual({ limit: 20, offset: 0 })
  expect(windowOf({ offset: 5 })).toEqual({ limit: null, offset: 5 })
})
