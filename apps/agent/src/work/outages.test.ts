import { expect, test } from 'vitest'
import { createOutages } from './outages.ts'

test('an outage is two lines for each part: its start, and its end with the failures and the seconds', () => {
  const lines: unknown[] = []
  let now = 0
  const outages = createOutages({
    log: {
      warn: (facts: object, text: string) => void lines.push([text, facts]),
      info: (facts: object, text: string) => void lines.push([text, facts]),
    } as never,
    clock: { monotonic: () => now },
    away: 'away',
    back: 'back',
  })
  outages.recovered('polygon')
  outages.failed('polygon', { blockchain: 'polygon', err: 'refused' })
  outages.failed('base', { blockchain: 'base' })
  now = 61_000
  outages.failed('polygon', { blockchain: 'polygon', err: 'silent' })
  outages.recovered('polygon', { blockchain: 'polygon' })
  outages.recovered('polygon')
  expect(lines).toEqual([
    ['away', { blockchain: 'polygon', err: 'refused' }],
    ['away', { blockchain: 'base' }],
    ['back', { blockchain: 'polygon', failures: 2, seconds: 61 }],
  ])
})
