import { expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import type { SignedTransaction } from '../journal/index.ts'
import type { Service } from '../service/client.ts'
import { createReports } from './reports.ts'

const entry = (leaseToken: string) => ({ transactionId: 1, hash: '0x1', leaseToken }) as SignedTransaction
const SUBMITTED = { status: 'SUBMITTED', txHash: '0x1' } as const
const never = new AbortController().signal

/** A service that answers each report when the test says so. */
function held() {
  const answers: (() => void)[] = []
  const asked: (string | undefined)[] = []
  const recorded: string[] = []
  const reportTransaction: Service['reportTransaction'] = (_id, _said, leaseToken) => {
    asked.push(leaseToken)
    return new Promise((resolve) => answers.push(resolve))
  }
  const reports = createReports({
    service: { reportTransaction },
    journal: { recordReported: ({ leaseToken }, outcome) => void recorded.push(`${leaseToken} ${outcome}`) },
    log: { error: () => {} },
    emit: () => {},
    clock: systemClock,
  })
  return { reports, asked, answers, recorded }
}

test('a second report about the same bytes under the same lease joins the one that is under way', async () => {
  const { reports, asked, answers, recorded } = held()
  const both = [reports.report(entry('a'), SUBMITTED, never), reports.report(entry('a'), SUBMITTED, never)]
  expect({ asked, isUnderWay: reports.isUnderWay(entry('a')) }).toEqual({ asked: ['a'], isUnderWay: true })
  answers[0]!()
  await Promise.all(both)
  expect({ recorded, isUnderWay: reports.isUnderWay(entry('a')) }).toEqual({
    recorded: ['a SUBMITTED'],
    isUnderWay: false,
  })
})

test('a report under a later lease does not wait for one under an earlier lease', async () => {
  const { reports, asked, answers, recorded } = held()
  const [earlier, later] = ['a', 'b'].map((lease) => reports.report(entry(lease), SUBMITTED, never))
  expect(asked).toEqual(['a', 'b'])
  answers[1]!()
  await later
  expect(recorded).toEqual(['b SUBMITTED'])
  answers[0]!()
  await earlier
})
