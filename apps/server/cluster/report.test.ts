import { expect, test } from 'vitest'
import { barsOf } from './bars.ts'
import { FAULTS } from './faults.ts'
import { report } from './report.ts'
import type { ClusterRun, FaultOutcome } from './run-cluster.ts'

const outcome = (name: string, changed: Partial<FaultOutcome> = {}): FaultOutcome => ({
  fault: name,
  writesMs: 6_000,
  settlementMs: 8_000,
  bars: barsOf(FAULTS.find((fault) => fault.name === name)!),
  lost: [],
  twice: [],
  differences: [],
  ...changed,
})
const reportOf = (outcomes: readonly FaultOutcome[], changed: Partial<ClusterRun> = {}) =>
  report({ outcomes, problems: [], acknowledged: 1_234, ...changed })
const tooLong = (lines: readonly string[]) => lines.filter((line) => line.startsWith('TOO LONG'))

test('a run without a finding is sound and in time, and its last line counts the faults', () => {
  const { lines, isSound, isInTime } = reportOf([outcome('the primary killed'), outcome('a worker frozen')])
  expect({ isSound, isInTime }).toEqual({ isSound: true, isInTime: true })
  expect(lines.at(-1)).toBe('cluster: 2 faults, 0 lost, 0 twice')
  expect(lines).toContain('1234 acknowledged writes')
})

test.each<[string, Partial<FaultOutcome>, Partial<ClusterRun>, string]>([
  ['a lost write', { lost: ['wallet 1'] }, {}, '1 faults, 1 lost, 0 twice'],
  ['an effect that happened twice', { twice: ['gifts to wallet 1'] }, {}, '1 faults, 0 lost, 1 twice'],
  ['a difference from the chains', { differences: ['wallet 1'] }, {}, '1 faults, 0 lost, 0 twice'],
  ['a process that ended', {}, { problems: ['worker 1 ended'] }, '1 faults, 0 lost, 0 twice'],
])('a run with %s is not sound', (_what, changed, run, last) => {
  const { lines, isSound, isInTime } = reportOf([outcome('a worker killed', changed)], run)
  expect({ isSound, isInTime }).toEqual({ isSound: false, isInTime: true })
  expect(lines.at(-1)).toBe(`cluster: ${last}`)
})

test.each(['the primary killed', 'PostgreSQL of the primary killed'])(
  'a run is not in time when writes go on more than 15 s after %s, and a line names the bar',
  (name) => {
    expect(reportOf([outcome(name, { writesMs: 15_000 })]).isInTime).toBe(true)
    const { lines, isSound, isInTime } = reportOf([outcome(name, { writesMs: 15_100 })])
    expect({ isSound, isInTime }).toEqual({ isSound: true, isInTime: false })
    expect(tooLong(lines)).toEqual([`TOO LONG: ${name}: writes went on after 15.1 s, the bar is 15.0 s`])
    expect(lines.at(-1)).toBe('cluster: 1 faults, 0 lost, 0 twice')
  },
)

test('a run is not in time when settlement goes on more than 30 s after a fault, and a line names the bar', () => {
  expect(reportOf([outcome('a worker frozen', { settlementMs: 30_000 })]).isInTime).toBe(true)
  const { lines, isInTime } = reportOf([outcome('a worker frozen', { settlementMs: 30_100 })])
  expect(isInTime).toBe(false)
  expect(tooLong(lines)).toEqual(['TOO LONG: a worker frozen: settlement went on after 30.1 s, the bar is 30.0 s'])
})

test('the time in which a part is away that exists once does not count', () => {
  expect(reportOf([outcome('the proxy frozen', { settlementMs: 50_000 })]).isInTime).toBe(true)
  const { lines } = reportOf([outcome('the proxy frozen', { settlementMs: 50_100 })])
  expect(tooLong(lines)).toEqual(['TOO LONG: the proxy frozen: settlement went on after 50.1 s, the bar is 50.0 s'])
})

test('a primary that is replaced on purpose has no bar for writes', () => {
  expect(reportOf([outcome('switchover', { writesMs: 16_000 })]).isInTime).toBe(true)
})
