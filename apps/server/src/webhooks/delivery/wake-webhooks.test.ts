import { beforeEach, expect, test } from 'vitest'
import { useFixture } from '../../../testing/use-fixture.ts'
import { openWebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { wakeWebhooks } from './wake-webhooks.ts'

const yard = useFixture(openWebhookFixture)
beforeEach(() => yard.reset())

test('waking a webhook never postpones it, and never ends its pause', async () => {
  const { id: webhookId } = await yard.webhook('https://example.com/hook')
  const { db, clock } = yard.parts
  const now = clock.now()
  const at = (milliseconds: number) => new Date(now.getTime() + milliseconds)
  const wake = async (due_at: Date | null, paused_until: Date | null) => {
    await db.updateTable('webhooks').set({ due_at, paused_until }).where('id', '=', webhookId).execute()
    await inTransaction(db, (tx) => wakeWebhooks(tx, [{ organizationId: yard.organizationId, webhookId }], now))
    const row = await db.selectFrom('webhooks').select('due_at').where('id', '=', webhookId).executeTakeFirstOrThrow()
    return row.due_at
  }
  expect(await wake(null, null)).toEqual(now)
  expect(await wake(at(5_000), null)).toEqual(now)
  expect(await wake(at(-5_000), null)).toEqual(at(-5_000))
  expect(await wake(null, at(60_000))).toEqual(at(60_000))
})
