import type { RampClient } from './ramp-client.ts'
import type { RampDatabase } from './ramp-database.ts'

/** Inserts pending payments to an on-ramp account of the organization, `payment 0` and so on, all in one statement. */
export async function insertPayments({ parts, clock }: RampDatabase, client: RampClient, count: number): Promise<void> {
  const account = await client.onramp()
  const payments = Array.from({ length: count }, (_, each) => ({
    organization_id: client.organizationId,
    direction: 'onramp' as const,
    customer_id: account.customerId,
    account_id: account.accountId,
    blockchain: 'base',
    source_asset: 'USD',
    destination_asset: 'USDC',
    token_decimals: 6,
    usd_cents: 100n,
    fee_cents: 0n,
    developer_fee_cents: 0n,
    token_amount: 1_000_000n,
    exchange_rate: '1',
    payment_rail: 'ach',
    payment_reference: `payment ${each}`,
    status: 'pending' as const,
    status_history: '[]',
    provider_reference: `provider ${each}`,
    provider_sequence: 1,
    created_at: clock.now(),
  }))
  await parts.db.insertInto('ramp_transactions').values(payments).execute()
}
