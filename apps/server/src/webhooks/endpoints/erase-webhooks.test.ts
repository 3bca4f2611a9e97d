// Also tested in: main/compose/organization-erasure.test.ts (every column).

import { expect, test } from 'vitest'
import { useFixture } from '../../../testing/use-fixture.ts'
import { openWebhookFixture } from '../../../testing/webhook-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { createWebhook } from './create-webhook.ts'
import { WEBHOOK_ERASURE } from './erase-webhooks.ts'

const yard = useFixture(openWebhookFixture)

test('a webhook that points where erased ones do is erased and ends, too, and is over with the next batch', async () => {
  const { organizationId, parts } = yard
  const at = new Date('2026-01-02T00:00:00Z')
  const url = 'https://erased.invalid/'
  await createWebhook(parts, { organizationId, url, events: ['*'], description: 'For Ada' })
  const erase = () => inTransaction(parts.db, (tx) => WEBHOOK_ERASURE.erase(tx, { organizationId, at }))
  expect(await erase()).toBe(1)
  const rows = await parts.db.selectFrom('webhooks').selectAll().execute()
  expect(rows).toMatchObject([{ url, description: null, secret: Buffer.alloc(0), deleted_at: at }])
  expect(await erase()).toBe(0)
})
