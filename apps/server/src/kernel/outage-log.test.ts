import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createOutageLog } from './outage-log.ts'

test('an outage is two lines: its start, and its end with the number of failures and its length', () => {
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const outage = createOutageLog(log, { away: 'the store is away', back: 'the store is back' })
  outage.recovered()
  for (let failures = 0; failures < 50; failures += 1) outage.failed({ part: 'limits' })
  outage.recovered({ part: 'limits' })
  outage.recovered()
  expect(lines).toMatchObject([
    { level: 40, part: 'limits', msg: 'the store is away' },
    { level: 30, part: 'limits', failures: 50, seconds: expect.any(Number), msg: 'the store is back' },
  ])
  outage.failed({})
  expect(lines).toHaveLength(3)
})
