// Also tested in: ramp/sandbox/provider.test.ts (each scenario with tokens on a chain, from deposits as well),
// ramp/onboarding/check-kyb.test.ts (simulated decisions).

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { failingTransact } from '../../../testing/index.ts'
import type { RampClient } from '../../../testing/ramp/ramp-client.ts'
import { openRampDatabase, type RampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { inTransaction, type Transact, transactOn } from '../../database/index.ts'
import { creatorColumns } from '../../identity/index.ts'
import type { RampAccount } from '../accounts/account.ts'
import { quoteAtPar } from '../pricing/fees.ts'
import type { Deposit, SimulatedPayment, StartedSimulation } from '../provider/port.ts'
import { createSimulator, startPayout } from './simulator.ts'

let fixture: RampDatabase
let client: RampClient
beforeAll(async () => {
  fixture = await openRampDatabase()
})
afterAll(() => fixture?.close())
beforeEach(async () => {
  client = await fixture.organization()
})

const terms = { feeBasisPoints: 25, developerShareBasisPoints: 0 }
const quote = (direction: 'onramp' | 'offramp') => quoteAtPar({ direction, usdCents: 100_00n, tokenDecimals: 6, terms })

const payIn = async (fields: Partial<SimulatedPayment>, transact?: Transact<StartedSimulation>) => {
  const { accountId, providerReference, tokenAddress, rail } = await client.onramp()
  const simulated: SimulatedPayment = {
    organizationId: client.organizationId,
    accountId,
    accountReference: providerReference,
    blockchain: 'base',
    tokenAddress,
    asset: 'USDC',
    rail,
    tokenDecimals: 6,
    walletAddress: client.wallet.address,
    depositAddress: null,
    quote: quote('onramp'),
    scenario: 'failed',
    delayMs: 2_000,
    ...fields,
  }
  return createSimulator(fixture.provider).payIn(simulated, transact ?? transactOn(fixture.parts.db))
}

let deposits = 0
const depositOn = (account: RampAccount, fields: Partial<Deposit> = {}): Deposit => ({
  organizationId: client.organizationId,
  accountId: account.accountId,
  accountReference: account.providerReference,
  blockchain: 'base',
  txHash: `0x${++deposits}`,
  position: 0,
  depositId: deposits,
  tokenAddress: account.tokenAddress,
  asset: 'USDC',
  tokenDecimals: 6,
  amount: 100_000_000n,
  quote: quote('offramp'),
  dust: 0n,
  rail: account.rail,
  returnTo: client.wallet.address,
  rejection: null,
  ...fields,
})
const payOut = (deposit: Deposit) => inTransaction(fixture.parts.db, (tx) => startPayout(fixture.provider, tx, deposit))

const transfers = () =>
  fixture.parts.db
    .selectFrom('ramp_sandbox_transfers')
    .select(['reference', 'direction', 'scenario', 'delay_ms', 'due_at', 'sent_hash'])
    .where('organization_id', '=', client.organizationId)
    .execute()

test('a simulated payment starts pending, and its next step is due after its delay', async () => {
  const { simulationId, events } = await payIn({})
  expect(events).toMatchObject([
    { id: `in-${simulationId}:1`, sequence: 1, status: 'pending', transfer: { txHash: null, failureReason: null } },
  ])
  const due_at = new Date(fixture.clock.now().getTime() + 2_000)
  const reference = `in-${simulationId}`
  expect(await transfers()).toEqual([
    { reference, direction: 'onramp', scenario: 'failed', delay_ms: 2_000, due_at, sent_hash: null },
  ])
})

test('payments in and payouts of simulated deposits name who simulated them; deposits from elsewhere name nobody', async () => {
  const createdBy = { type: 'key', id: 7 } as const
  const { events } = await payIn({ createdBy })
  expect(events).toMatchObject([{ transfer: { createdBy } }])
  const deposit = depositOn(await client.offramp())
  await fixture.parts.db
    .insertInto('ramp_sandbox_deposits')
    .values({
      tx_hash: deposit.txHash,
      simulation_id: 'sim_named',
      scenario: 'success',
      delay_ms: 7,
      created_at: fixture.clock.now(),
      ...creatorColumns(createdBy),
    })
    .execute()
  expect((await payOut(deposit)).transfer.createdBy).toEqual(createdBy)
  expect((await payOut(depositOn(await client.offramp()))).transfer).not.toHaveProperty('createdBy')
})

test('two concurrent payments are separate', async () => {
  await Promise.all([payIn({}), payIn({})])
  expect(await transfers()).toHaveLength(2)
})

test('a payment commits together with the caller’s transaction', async () => {
  const transact = failingTransact<StartedSimulation>(fixture.parts.db, 'the response was not recorded')
  await expect(payIn({}, transact)).rejects.toThrow('not recorded')
  expect(await transfers()).toEqual([])
})

test('nothing is simulated on a chain that is not embedded', async () => {
  await expect(payIn({ blockchain: 'polygon' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { issues: [{ path: 'account' }] },
  })
  expect(await transfers()).toEqual([])
})

test('a deposit starts one payout, which succeeds unless it was simulated otherwise', async () => {
  const account = await client.offramp()
  const deposit = depositOn(account)
  expect(await payOut(deposit)).toMatchObject({
    subject: `out-base-${deposit.depositId}`,
    status: 'pending',
    transfer: { direction: 'offramp', txHash: deposit.txHash, failureReason: null },
  })
  await expect(payOut(deposit)).rejects.toThrow('unique')
  const simulated = depositOn(account)
  await fixture.parts.db
    .insertInto('ramp_sandbox_deposits')
    .values({
      tx_hash: simulated.txHash,
      simulation_id: 'sim_1',
      scenario: 'reversed',
      delay_ms: 7,
      created_at: fixture.clock.now(),
    })
    .execute()
  await payOut(simulated)
  expect((await transfers()).map(({ scenario, delay_ms }) => [scenario, delay_ms])).toEqual([
    ['success', 1_500],
    ['reversed', 7],
  ])
})

test('a deposit that cannot be paid out is rejected with its reason, whatever was simulated', async () => {
  const event = await payOut(depositOn(await client.offramp(), { rejection: 'account_archived' }))
  expect(event.transfer.failureReason).toBe('account_archived')
  expect(await transfers()).toMatchObject([{ scenario: 'rejected' }])
})
