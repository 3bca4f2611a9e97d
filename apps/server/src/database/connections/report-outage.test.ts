import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createOutageReporter } from './report-outage.ts'

const gone = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })

test('an outage with many attempts is logged in two lines: its start and its end', () => {
  const lines: string[] = []
  const teller = createOutageReporter(
    pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line).msg) }),
    'jobs',
  )
  teller.reportRecovery()
  for (let attempt = 0; attempt < 100; attempt += 1) expect(teller.reportFailure(gone)).toBe(true)
  teller.reportRecovery()
  teller.reportRecovery()
  expect(lines).toEqual(['database unavailable', 'database available again'])
  expect(teller.reportFailure(new Error('a defect'))).toBe(false)
  expect(lines).toHaveLength(2)
})
