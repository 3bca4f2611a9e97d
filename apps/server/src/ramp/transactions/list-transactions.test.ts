// Also tested elsewhere: that a deleted key ends an export (surfaces/v1/ramp/transactions.test.ts).
import { expect, onTestFinished, test } from 'vitest'
import { countStatements } from '../../../testing/index.ts'
import { openRampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { insertPayments } from '../../../testing/ramp/ramp-payments.ts'
import { RAMP_EXPORT_BATCH } from '../../kernel/index.ts'
import { iterateTransactions } from './list-transactions.ts'

test('an export holds one batch at a time, reads the next when asked, and has each transaction once', async () => {
  const fixture = await openRampDatabase()
  onTestFinished(fixture.close)
  const client = await fixture.organization()
  await insertPayments(fixture, client, 2 * RAMP_EXPORT_BATCH + 1)
  const batches = iterateTransactions(fixture.parts, client.organizationId, {})
  const read: number[][] = []
  for (;;) {
    const { result, statements } = await countStatements(() => batches.next())
    if (result.done) break
    expect(statements).toBe(1)
    read.push(result.value.map(({ transactionId }) => transactionId))
  }
  expect(read.map((ids) => ids.length)).toEqual([RAMP_EXPORT_BATCH, RAMP_EXPORT_BATCH, 1])
  const ids = read.flat()
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a))
})
