// Also tested in: ramp/customers/update-recipient.test.ts (archived), ramp/personal/erase-customers.test.ts (erased).

import { expect, test } from 'vitest'
import { openRampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { findRecipient } from './customer.ts'

const fixture = useFixture(openRampDatabase)

test('a customer is erased only with its archival, as the database holds', async () => {
  const client = await fixture.organization()
  const { organizationId, customerId } = await client.recipient()
  const store = (change: { archived_at: Date | null; erased_at: Date | null }) =>
    fixture.parts.db.updateTable('ramp_customers').set(change).where('id', '=', customerId).execute()
  const at = fixture.clock.now()
  await store({ archived_at: at, erased_at: at })
  expect(await findRecipient(fixture.parts, organizationId, customerId)).toMatchObject({ archivedAt: at, erasedAt: at })
  await expect(store({ archived_at: null, erased_at: at })).rejects.toMatchObject({
    constraint: 'ramp_customers_state_fields',
  })
})
