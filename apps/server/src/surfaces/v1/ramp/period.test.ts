import { expect, test } from 'vitest'
import { periodOf } from './period.ts'

test('a day covers all of it in UTC, a time is exact', () => {
  expect(periodOf({ date_from: '2026-03-01', date_to: '2026-03-01' })).toEqual({
    from: new Date('2026-03-01T00:00:00Z'),
    before: new Date('2026-03-02T00:00:00Z'),
  })
  expect(periodOf({ date_from: '2026-03-01T02:00:00+02:00', date_to: '2028-02-29T12:00Z' })).toEqual({
    from: new Date('2026-03-01T00:00:00Z'),
    before: new Date('2028-02-29T12:00:00.001Z'),
  })
  expect(periodOf({})).toEqual({ from: undefined, before: undefined })
})

test.each(['2026-02-30', '2026-02-30T00:00:00Z', '2026-13-01', '2026-1-1', '2026-03-01T25:00:00Z', 'yesterday', ''])(
  '%j is neither a day nor a time',
  (text) => {
    expect(() => periodOf({ date_from: text })).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }))
  },
)
