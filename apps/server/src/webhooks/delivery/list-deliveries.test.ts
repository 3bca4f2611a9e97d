import { beforeEach, expect, test } from 'vitest'
import { useFixture } from '../../../testing/use-fixture.ts'
import { openWebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import { listDeliveries } from './list-deliveries.ts'

const yard = useFixture(openWebhookFixture)
beforeEach(() => yard.reset())

test('deliveries are found by the object of their event', async () => {
  const receiver = await yard.receiver()
  const { id: webhookId } = await yard.webhook(receiver.url)
  await yard.emit(7, 'transaction.updated')
  await yard.emit(8, 'transaction.updated')
  await yard.deliver()
  const { organizationId } = yard
  const found = async (filter: object) => {
    const { deliveries, total } = await listDeliveries(
      yard.parts.db,
      { organizationId, webhookId },
      {
        limit: 10,
        offset: 0,
        ...filter,
      },
    )
    expect(deliveries).toHaveLength(total)
    return deliveries.map(({ id }) => id)
  }
  const [second, first] = await found({})
  expect(await found({ rampTransactionId: 7 })).toEqual([first])
  expect(await found({ rampTransactionId: 8 })).toEqual([second])
  // An operation and a payment may have the same id.
  expect(await found({ operationId: 7 })).toEqual([])
})
