import { expect, test } from 'vitest'
import { expectValidFiatLedger } from '../../../testing/ramp/expect-fiat.ts'
import { startRampFixture } from '../../../testing/ramp/ramp-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'

const fixture = useFixture(() => startRampFixture('solana'))

test('on Solana a payment arrives as tokens, and a deposit that is not paid out is returned', async () => {
  const client = await fixture.organization()
  await client.onramp()
  const account = await client.offramp()
  await client.simulate('onramp', { usdCents: 200_00n })
  await fixture.settle()
  expect(await client.usdc()).toBe(199_500_000n)

  await client.simulate('offramp', { usdCents: 30_00n })
  await client.simulate('offramp', { usdCents: 7_00n, scenario: 'rejected' })
  await fixture.settle()
  expect((await client.transactions()).map(({ status }) => status).sort()).toEqual([
    'completed',
    'completed',
    'rejected',
  ])
  expect(await client.usdc(account.depositAddress!)).toBe(30_000_000n)
  expect(await client.usdc()).toBe(206_500_000n)
  await expectValidFiatLedger(fixture.parts)
})
