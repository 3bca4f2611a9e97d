// Also tested in: ramp/customers/create-recipient.test.ts (what a recipient is stored as).

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openRampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { sealedCustomerColumns } from './customer-fields.ts'
import { insertCustomer, nextCustomerId } from './insert-customer.ts'

const fixture = useFixture(openRampDatabase)

test('a customer gets the id that its fields are sealed for, and a conflict inserts nothing', async () => {
  const { organizationId } = await fixture.organization({ verified: false })
  const insert = () =>
    inTransaction(fixture.parts.db, async (tx) => {
      const id = await nextCustomerId(tx)
      const fields = { name: 'Ada', externalId: 'a-1', address: null }
      const customer = {
        organization_id: organizationId,
        id,
        kind: 'recipient' as const,
        type: 'business',
        ...sealedCustomerColumns(fixture.parts.fields, { organizationId, id }, fields),
        created_at: fixture.clock.now(),
      }
      const onConflict = sql`(organization_id, external_id_index) where external_id_index is not null do nothing`
      return { id, row: await insertCustomer(tx, customer, onConflict) }
    })
  const first = await insert()
  expect(first.row).toMatchObject({ id: first.id, name: '', external_id: null })
  expect((await insert()).row).toBeUndefined()
})
