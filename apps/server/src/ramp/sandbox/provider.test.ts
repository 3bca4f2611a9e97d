import { expect, test } from 'vitest'
import { anyState } from '../../../testing/operations/any-state.ts'
import { expectValidFiatLedger } from '../../../testing/ramp/expect-fiat.ts'
import { startRampFixture } from '../../../testing/ramp/ramp-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { SCENARIO_STEPS } from './scenarios.ts'

const fixture = useFixture(startRampFixture)

const told = async (organizationId: number) =>
  (
    await fixture.parts.db
      .selectFrom('outbox')
      .select(['event', 'data'])
      .where('organization_id', '=', organizationId)
      .where('object_type', '=', 'ramp_transaction')
      .orderBy('id')
      .execute()
  ).map(({ event, data }) => `${event} ${data.status}${data.return_tx_hash ? ` ${data.return_tx_hash}` : ''}`)

test('a successful payment arrives as tokens on the chain, minus the fee, and the record has the hash', async () => {
  const client = await fixture.organization()
  await client.onramp()
  await client.simulate('onramp', { usdCents: 50_000_00n })
  expect(await client.transactions()).toMatchObject([{ status: 'pending', usdCents: 50_000_00n, feeCents: 125_00n }])
  await fixture.settle()
  expect(await client.usdc()).toBe(49_875_000_000n)
  const [done] = await client.transactions()
  expect(done!.statusHistory.map(({ status }) => status)).toEqual(SCENARIO_STEPS.onramp.success)
  const [lookup] = await fixture.parts.chains.get('base')!.findTransactions([done!.txHash!])
  expect(lookup?.blockNumber).toBeGreaterThan(0)
  expect(await told(client.organizationId)).toEqual([
    ...SCENARIO_STEPS.onramp.success.map((status) => `transaction.updated ${status}`),
    'transaction.completed completed',
  ])
  await expectValidFiatLedger(fixture.parts)
})

test.each(['failed', 'rejected', 'reversed'] as const)(
  'a payment that is %s goes through its own steps only',
  async (scenario) => {
    const client = await fixture.organization()
    await client.onramp()
    await client.simulate('onramp', { scenario, usdCents: 10_01n })
    await fixture.settle()
    const [done] = await client.transactions()
    expect(done!.statusHistory.map(({ status }) => status)).toEqual(SCENARIO_STEPS.onramp[scenario])
    expect(anyState(done!).failureReason).toBe(`payment_${scenario}`)
    // A reversal reverses the fiat payment and leaves the tokens.
    expect(await client.usdc()).toBe(scenario === 'reversed' ? 9_980_000n : 0n)
    await expectValidFiatLedger(fixture.parts)
  },
)

test.each(['success', 'failed', 'rejected', 'reversed'] as const)(
  'tokens sent to a deposit address start a payout: %s; what is not paid out is returned',
  async (scenario) => {
    const client = await fixture.organization()
    const account = await client.offramp()
    await client.simulate('offramp', { scenario, usdCents: 400_00n })
    await fixture.settle()
    const [done] = await client.transactions()
    expect(done).toMatchObject({
      direction: 'offramp',
      usdCents: 400_00n,
      feeCents: 1_00n,
      accountId: account.accountId,
    })
    const steps = SCENARIO_STEPS.offramp[scenario].filter((step) => step !== 'give_back')
    expect(done!.statusHistory.map(({ status }) => status)).toEqual(steps)
    const isReturned = scenario === 'failed' || scenario === 'rejected'
    expect(await client.usdc(account.depositAddress!)).toBe(isReturned ? 0n : 400_000_000n)
    expect(await client.usdc()).toBe(isReturned ? 400_000_000n : 0n)
    expect(anyState(done!).returnTxHash === null).toBe(!isReturned)
    if (isReturned) {
      expect(await told(client.organizationId)).toEqual([
        ...steps.map((status) => `offramp_transaction.updated ${status}`),
        `offramp_transaction.failed ${scenario}`,
        `offramp_transaction.updated ${scenario} ${anyState(done!).returnTxHash}`,
      ])
    }
    await expectValidFiatLedger(fixture.parts)
  },
)
