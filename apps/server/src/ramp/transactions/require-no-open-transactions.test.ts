import { expect, test } from 'vitest'
import { openRampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { transferEvent } from '../../../testing/ramp/transfer-event.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction, type RampStatus } from '../../database/index.ts'
import { applyTransferEvent } from '../events/apply-transfer-event.ts'
import { requireNoOpenRampTransactions } from './require-no-open-transactions.ts'

const fixture = useFixture(openRampDatabase)

test.each([
  ['onramp', ['pending', 'processing', 'in_progress', 'awaiting_confirmation', 'broadcasted']],
  ['offramp', ['pending', 'processing', 'in_progress', 'awaiting_confirmation']],
] as const)('an %s counts as open in every status before its last', async (direction, statuses) => {
  const client = await fixture.organization()
  const { providerReference: accountReference } = await client[direction]()
  const { db } = fixture.parts
  const payment = { direction, accountReference, subject: `an ${direction}` } as const
  const move = (sequence: number, status: RampStatus) =>
    inTransaction(db, (tx) => applyTransferEvent(fixture.parts, tx, transferEvent({ ...payment, sequence, status })))
  const check = () => inTransaction(db, (tx) => requireNoOpenRampTransactions(tx, client.organizationId))
  await check()
  for (const [place, status] of statuses.entries()) {
    await move(place + 1, status)
    const refusal = { code: 'CONFLICT', details: { rampTransactionsUnderWay: 1 } }
    await expect(check(), status).rejects.toMatchObject(refusal)
  }
  await move(9, 'completed')
  await check()
})
