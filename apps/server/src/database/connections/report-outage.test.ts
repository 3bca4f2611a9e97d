import { pino } from 'pino'
import { expect, test } from 'vitest'
import { loggedLines } from '../../../testing/logged-lines.ts'
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

test('only the success of what failed ends an outage, or any once nothing that failed is left here', () => {
  const { log, take } = loggedLines()
  const reporter = createOutageReporter(log, 'jobs')
  for (let attempt = 0; attempt < 3; attempt += 1) {
    reporter.reportFailure(gone, 'sweep')
    reporter.reportRecovery('rebalance')
  }
  expect(take()).toEqual(['database unavailable'])
  reporter.reportFailure(gone, 'rebalance')
  reporter.reportRecovery('rebalance')
  expect(take()).toEqual(['database available again'])

  reporter.reportFailure(gone, 'sweep')
  reporter.forget('sweep')
  expect(take()).toEqual(['database unavailable'])
  reporter.reportRecovery('rebalance')
  expect(take()).toEqual(['database available again'])
})

test('a time-out is no outage, but a sign that the database responds', () => {
  const { log, take } = loggedLines()
  const reporter = createOutageReporter(log, 'jobs')
  for (const code of ['57014', '55P03']) {
    const timeout = Object.assign(new Error('canceling statement'), { code })
    expect(reporter.reportFailure(timeout)).toBe(false)
    expect(reporter.reportFailure(new AggregateError([timeout, new Error('a defect')]))).toBe(false)
    expect(take()).toEqual([])
    expect(reporter.reportFailure(new AggregateError([timeout, gone]))).toBe(true)
    expect(reporter.reportFailure(timeout)).toBe(false)
    expect(take()).toEqual(['database unavailable', 'database available again'])
  }
})
