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

test('another cause, or another text, is said once within an outage, and only so many of them', () => {
  const lines: string[] = []
  const say = (level: string) => (_facts: object, text: string) => void lines.push(`${level} ${text}`)
  const outages = createOutages({
    log: { error: say('error'), warn: say('warn'), info: say('info') } as never,
    clock: { monotonic: () => 0 },
    away: 'away',
    back: 'back',
    level: 'error',
  })
  for (let round = 0; round < 3; round += 1) {
    outages.failed('1', {}, { cause: 'silent' })
    outages.failed('1', {}, { cause: 'refused' })
    outages.failed('1', {}, { away: 'left', level: 'info' })
  }
  expect(lines.splice(0)).toEqual(['error away', 'error away', 'info left'])
  for (let block = 0; block < 100; block += 1) outages.failed('2', {}, { cause: `block ${block}` })
  expect(lines.splice(0)).toHaveLength(10)
  outages.recovered('1')
  outages.failed('1', {}, { cause: 'silent' })
  expect(lines).toEqual(['info back', 'error away'])
})
