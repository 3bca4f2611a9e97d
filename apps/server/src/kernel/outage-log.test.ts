import { expect, test } from 'vitest'
import { loggedLines } from '../../testing/logged-lines.ts'
import { Failure } from './errors.ts'
import { OUTAGE_CAUSES_MAX, OUTAGES_REMEMBERED_MAX } from './limits.ts'
import { createOutageLog, createOutageLogs, outageLogsBy } from './outage-log.ts'

const SENTENCES = { away: 'the store is away', back: 'the store is back' }

test('an outage is two lines: its start, and its end with the number of failures and its length', () => {
  const { log, lines } = loggedLines()
  const outage = createOutageLog(log, SENTENCES)
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

test('each part has its own outage', () => {
  const { log, lines } = loggedLines()
  const outages = createOutageLogs(log, { ...SENTENCES, level: 'error' })
  for (let round = 0; round < 3; round += 1)
    for (const walletId of [1, 2]) outages.failed({ organizationId: 1, walletId }, { err: new Error('spoiled') })
  expect(outages.isOut({ organizationId: 1, walletId: 2 })).toBe(true)
  outages.recovered({ organizationId: 1, walletId: 2 })
  outages.recovered({ organizationId: 1, walletId: 2 })
  expect(outages.isOut({ organizationId: 1, walletId: 2 })).toBe(false)
  expect(lines).toMatchObject([
    { level: 50, organizationId: 1, walletId: 1, err: { message: 'spoiled' }, msg: 'the store is away' },
    { level: 50, organizationId: 1, walletId: 2, msg: 'the store is away' },
    { level: 30, organizationId: 1, walletId: 2, failures: 3, seconds: 0, msg: 'the store is back' },
  ])
})

test('another cause of the same outage is logged once, whatever follows it, and only so many of them', () => {
  const { log, lines, take } = loggedLines()
  const outages = createOutageLogs(log, SENTENCES)
  const unavailable = (cause: string) => new Failure('RAMP_UNAVAILABLE', { cause: new Error(cause) })
  for (let round = 0; round < 5; round += 1)
    for (const err of [unavailable('502'), unavailable('timeout')]) outages.failed({ part: 'a' }, { err })
  expect(take()).toHaveLength(2)
  for (let block = 0; block < 100; block += 1) outages.failed({ part: 'b' }, { reason: `block ${block} is gone` })
  expect(take()).toHaveLength(OUTAGE_CAUSES_MAX)
  outages.recovered({ part: 'b' })
  expect(lines).toMatchObject([{ part: 'b', failures: 100 }])
})

test('what a poll no longer finds is over', () => {
  const { log, take } = loggedLines()
  const outages = createOutageLogs(log, SENTENCES)
  outages.failed({ wallet: 'a' })
  outages.failed({ wallet: 'b' })
  take()
  outages.recoveredExcept([{ wallet: 'b' }])
  expect(take()).toEqual(['the store is back'])
  outages.failed({ wallet: 'b' })
  expect(take()).toEqual([])
})

test('outages beyond those remembered at once are not logged, neither once nor each round', () => {
  const { log, take } = loggedLines()
  const outages = createOutageLogs(log, SENTENCES)
  for (let round = 0; round < 2; round += 1)
    for (let walletId = 0; walletId < OUTAGES_REMEMBERED_MAX + 5; walletId += 1) outages.failed({ walletId })
  expect(take()).toHaveLength(OUTAGES_REMEMBERED_MAX)
  outages.recovered({ walletId: 0 })
  outages.failed({ walletId: OUTAGES_REMEMBERED_MAX })
  expect(take()).toEqual(['the store is back', 'the store is away'])
})

test('verbs that are called again find the outages of their owner', () => {
  const { log, take } = loggedLines()
  const outagesOf = outageLogsBy(SENTENCES)
  outagesOf(log, log).failed({})
  outagesOf(log, log).failed({})
  outagesOf({}, log).failed({})
  expect(take()).toHaveLength(2)
})
