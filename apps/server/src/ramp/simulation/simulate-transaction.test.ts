// Also tested in: ramp/sandbox/provider.test.ts (each scenario, with tokens on a chain), ramp/sandbox/simulator.test.ts (the
// steps and their times), system/money/ramp.test.ts (over HTTP).
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { failingTransact } from '../../../testing/index.ts'
import type { RampClient } from '../../../testing/ramp/ramp-client.ts'
import { openRampDatabase, type RampDatabase } from '../../../testing/ramp/ramp-database.ts'
import type { Transact } from '../../database/index.ts'
import { archiveRecipient } from '../customers/update-recipient.ts'
import { type RampSimulation, type SimulateTransactionInput, simulateTransaction } from './simulate-transaction.ts'

let fixture: RampDatabase
let client: RampClient
beforeAll(async () => {
  fixture = await openRampDatabase()
})
afterAll(() => fixture?.close())
beforeEach(async () => {
  client = await fixture.organization()
})

const simulate = (more: Partial<SimulateTransactionInput> = {}, transact?: Transact<RampSimulation>) =>
  simulateTransaction(
    fixture.parts,
    {
      organizationId: client.organizationId,
      direction: 'onramp',
      recipientId: null,
      accountId: undefined,
      usdCents: 100_00n,
      scenario: 'success',
      delayMs: 1_500,
      ...more,
    },
    transact,
  )
const accounts = async () => (await client.transactions()).map(({ accountId }) => accountId)

test('a payment without an account goes to the oldest one of the organization or its recipients', async () => {
  const { customerId } = await client.recipient()
  const oldest = await client.onramp(customerId)
  await client.onramp()
  const { simulationId } = await simulate()
  expect(simulationId).toMatch(/\w+/)
  expect(await client.transactions()).toMatchObject([
    { accountId: oldest.accountId, direction: 'onramp', status: 'pending', usdCents: 100_00n },
  ])
})

test('a payment to a recipient goes to an account of that recipient only', async () => {
  const own = await client.onramp()
  const { customerId: recipientId } = await client.recipient()
  await expect(simulate({ recipientId })).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND' })
  const account = await client.onramp(recipientId)
  const other = simulate({ recipientId, accountId: own.accountId })
  await expect(other).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND' })
  await simulate({ recipientId })
  expect(await accounts()).toEqual([account.accountId])
})

test('an account of another organization or direction does not exist', async () => {
  const { accountId } = await client.onramp()
  client = await fixture.organization()
  await expect(simulate({ accountId })).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND' })
  const own = await client.offramp()
  await expect(simulate({ accountId: own.accountId })).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND' })
  await expect(simulate({ recipientId: 4_711 })).rejects.toMatchObject({ code: 'RECIPIENT_NOT_FOUND' })
  expect(await accounts()).toEqual([])
})

test('an archived recipient receives no payment, whether the recipient or the account is named', async () => {
  const { customerId: recipientId } = await client.recipient()
  const { accountId } = await client.onramp(recipientId)
  await archiveRecipient(fixture.parts, { organizationId: client.organizationId, customerId: recipientId })
  await expect(simulate({ recipientId })).rejects.toMatchObject({ code: 'RECIPIENT_ARCHIVED' })
  await expect(simulate({ accountId })).rejects.toMatchObject({ code: 'RECIPIENT_ARCHIVED' })
  expect(await accounts()).toEqual([])
})

test('without a simulator nothing is simulated', async () => {
  await client.onramp()
  const { simulator, ...provider } = fixture.parts.provider
  const live = { ...fixture.parts, provider }
  const refused = simulateTransaction(live, {
    organizationId: client.organizationId,
    direction: 'onramp',
    recipientId: null,
    accountId: undefined,
    usdCents: 100_00n,
    scenario: 'success',
    delayMs: 0,
  })
  await expect(refused).rejects.toMatchObject({ code: 'SANDBOX_ONLY' })
})

test('a payment and its first event commit with what the caller commits, or not at all', async () => {
  await client.onramp()
  const transact = failingTransact<RampSimulation>(fixture.parts.db, 'the response could not be stored')
  await expect(simulate({}, transact)).rejects.toThrow('could not be stored')
  expect(await accounts()).toEqual([])
  const transfers = fixture.parts.db.selectFrom('ramp_sandbox_transfers').select('reference')
  expect(await transfers.where('organization_id', '=', client.organizationId).execute()).toEqual([])
})
