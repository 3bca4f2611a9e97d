import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { until } from '../../../testing/index.ts'
import { expectValidFiatLedger } from '../../../testing/ramp/expect-fiat.ts'
import { startRampFixture } from '../../../testing/ramp/ramp-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'

/** The token's contract permanently rejects it as a receiver. */
const REFUSES = '0x0000000000000000000000000000000000000000'

const fixture = useFixture(startRampFixture)

async function returnsTo(organizationId: number, address: string): Promise<void> {
  const to = JSON.stringify({ tokensTo: address })
  await sql`
    update ramp_sandbox_transfers set snapshot = snapshot || ${to}::jsonb where organization_id = ${organizationId}
  `.execute(fixture.parts.db)
}

test('a return that its receiver rejects blocks no other payment, and is sent once the receiver accepts it', async () => {
  const [stuck, other] = [await fixture.organization(), await fixture.organization()]
  await stuck.offramp()
  await stuck.simulate('offramp', { scenario: 'rejected', usdCents: 5_00n })
  await until(async () => {
    await fixture.followOnce()
    return (await stuck.transactions()).length === 1
  })
  await returnsTo(stuck.organizationId, REFUSES)

  await other.onramp()
  await other.simulate('onramp', { usdCents: 100_00n })
  await until(async () => {
    fixture.clock.advance(1_500)
    await fixture.followOnce()
    return (await other.transactions())[0]?.status === 'completed'
  })
  expect(await stuck.transactions()).toMatchObject([{ status: 'rejected', returnTxHash: null }])

  await returnsTo(stuck.organizationId, stuck.wallet.address)
  fixture.clock.advance(60_000)
  await fixture.settle()
  expect(await stuck.transactions()).toMatchObject([{ status: 'rejected', returnTxHash: expect.stringMatching(/^0x/) }])
  expect(await stuck.usdc()).toBe(5_000_000n)
  await expectValidFiatLedger(fixture.parts)
})
