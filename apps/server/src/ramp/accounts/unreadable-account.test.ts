import { expect, test } from 'vitest'
import { BANK } from '../../../testing/ramp/ramp-client.ts'
import { openRampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { listAccounts } from './account.ts'

const fixture = useFixture(openRampDatabase)
const JUNK = Buffer.alloc(40, 1)

test('a damaged account hides no other, and keeps the last digits of its number', async () => {
  const client = await fixture.organization()
  const { customerId } = await client.recipient()
  const [intact, damaged] = [await client.offramp(customerId), await client.offramp(customerId)]
  await fixture.parts.db
    .updateTable('ramp_accounts')
    .set({ sealed_bank_name: JUNK, sealed_routing_number: JUNK, account_number: JUNK, sealed_account_holder: JUNK })
    .where('id', '=', damaged.accountId)
    .execute()
  const { accounts } = await listAccounts(fixture.parts, client.organizationId, { customerId })
  expect(accounts).toMatchObject([
    {
      accountId: damaged.accountId,
      bankName: '[unreadable]',
      routingNumber: '[unreadable]',
      accountNumber: '[unreadable]',
      accountHolder: '[unreadable]',
      maskedNumber: `****${BANK.accountNumber.slice(-4)}`,
    },
    intact,
  ])
})
