// Also tested elsewhere: what an event changes (apply-provider-event.test.ts), and due steps of simulated payments
// (sandbox/run-transfers.test.ts).
import { expect, test } from 'vitest'
import { expectValidFiatLedger } from '../../../testing/ramp/expect-fiat.ts'
import { openRampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { runProviderWork } from './run-provider-work.ts'

const fixture = useFixture(openRampDatabase)

test('what the provider does in the background reaches the payment when it is due, and not before', async () => {
  const client = await fixture.organization()
  await client.onramp()
  await client.simulate('onramp', { scenario: 'failed', delayMs: 1_500 })
  const status = async () => (await client.transactions()).map((payment) => payment.status)
  await runProviderWork(fixture.parts)
  expect(await status()).toEqual(['pending'])
  for (let step = 0; step < 3; step += 1) {
    fixture.clock.advance(1_500)
    await runProviderWork(fixture.parts)
  }
  expect(await status()).toEqual(['failed'])
  await expectValidFiatLedger(fixture.parts)
})

test('a provider without background work has nothing to run', async () => {
  const { runDueWork: _, ...provider } = fixture.parts.provider
  await expect(runProviderWork({ ...fixture.parts, provider })).resolves.toBeUndefined()
})
