// Also tested in: ramp/bridge/create-once.test.ts (an account that a real partner opened is opened once, whatever fails).

import { afterAll, beforeAll, expect, test } from 'vitest'
import { beyondQuota, setQuotas } from '../../../testing/identity/set-quotas.ts'
import { failingTransact } from '../../../testing/index.ts'
import { BANK, type RampClient } from '../../../testing/ramp/ramp-client.ts'
import { openRampDatabase, type RampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { registerWallet } from '../../wallets/index.ts'
import { createRecipient } from '../customers/create-recipient.ts'
import { archiveRecipient } from '../customers/update-recipient.ts'
import { createDisabledProvider } from '../disabled/provider.ts'
import type { RampParts } from '../parts.ts'
import { findAccount, type RampAccount } from './account.ts'
import { type OpenAccountInput, openOfframpAccount, openOnrampAccount } from './open-account.ts'

let fixture: RampDatabase
let client: RampClient
beforeAll(async () => {
  fixture = await openRampDatabase()
  client = await fixture.organization()
})
afterAll(() => fixture?.close())

const input = (fields: Partial<OpenAccountInput> = {}): OpenAccountInput => ({
  scope: client.scope,
  recipientId: null,
  wallet: { walletId: client.wallet.walletId },
  asset: 'USDC',
  rail: 'ach',
  ...fields,
})
const openOnramp = (fields: Partial<OpenAccountInput> = {}, parts: RampParts = fixture.parts) =>
  openOnrampAccount(parts, input(fields))
const openOfframp = (fields: Partial<OpenAccountInput> = {}, bank: Partial<Record<keyof typeof BANK, string>> = {}) =>
  openOfframpAccount(fixture.parts, { ...input(fields), bank: { ...BANK, ...bank } as typeof BANK })

const accountsOf = async (organizationId = client.organizationId) =>
  fixture.parts.db.selectFrom('ramp_accounts').selectAll().where('organization_id', '=', organizationId).execute()

test('an account keeps its number sealed, with only the last four digits readable', async () => {
  const onramp = await openOnramp()
  const offramp = await openOfframp()
  for (const account of [onramp, offramp]) {
    const { account_number: sealed, account_number_last4: last4 } = (await accountsOf()).find(
      ({ id }) => id === account.accountId,
    )!
    expect(sealed.toString('latin1')).not.toContain(account.accountNumber)
    expect(last4).toBe(account.accountNumber.slice(-4))
  }
  expect(offramp.accountNumber).toBe(BANK.accountNumber)
})

test('what is stored is what the provider opened for this wallet', async () => {
  const opened = await openOfframp({ rail: 'fedwire' })
  expect(opened).toMatchObject({
    direction: 'offramp',
    wallet: { walletId: client.wallet.walletId, address: client.wallet.address, blockchain: 'base' },
    asset: 'USDC',
    rail: 'fedwire',
    capabilities: ['fedwire'],
    status: 'active',
    bankName: BANK.bankName,
    routingNumber: BANK.routingNumber,
    accountHolder: BANK.holderName,
    depositAddress: expect.stringMatching(/^0x/),
  })
  expect(await findAccount(fixture.parts, client.organizationId, opened.accountId, 'offramp')).toEqual(opened)
})

test('two concurrent requests open two accounts, each with its own number and address', async () => {
  const onramps = await Promise.all([openOnramp(), openOnramp()])
  const offramps = await Promise.all([openOfframp(), openOfframp()])
  const different = (pick: (account: RampAccount) => unknown, accounts: RampAccount[]) =>
    expect(new Set(accounts.map(pick)).size).toBe(2)
  different(({ accountNumber }) => accountNumber, onramps)
  different(({ depositAddress }) => depositAddress, offramps)
  different(({ providerReference }) => providerReference, offramps)
})

test('a wallet of another organization, or outside the profile of the key, does not exist', async () => {
  const { wallet } = await fixture.organization()
  const { walletId, address } = wallet
  const notFound = { code: 'WALLET_NOT_FOUND' }
  await expect(openOnramp({ wallet: { walletId } })).rejects.toMatchObject(notFound)
  await expect(openOfframp({ wallet: { walletId } })).rejects.toMatchObject(notFound)
  await expect(openOnramp({ wallet: { address, blockchain: 'base' } })).rejects.toMatchObject(notFound)
  const scope = { ...client.scope, walletProfileId: 1_000_000 }
  await expect(openOnramp({ scope })).rejects.toMatchObject(notFound)
})

test('an address or chain sent with a wallet id must match the wallet', async () => {
  const { walletId, address } = client.wallet
  const stranger = (await fixture.organization()).wallet.address
  const wrong = { code: 'VALIDATION_ERROR' }
  await expect(openOnramp({ wallet: { walletId, address: stranger } })).rejects.toMatchObject(wrong)
  await expect(openOnramp({ wallet: { walletId, blockchain: 'polygon' } })).rejects.toMatchObject(wrong)
  await expect(openOnramp({ wallet: { walletId, address: 'base' } })).rejects.toMatchObject({ code: 'INVALID_ADDRESS' })
  expect(
    (await openOnramp({ wallet: { walletId, address: address.toUpperCase().replace('0X', '0x') } })).wallet,
  ).toEqual((await openOnramp({ wallet: { address, blockchain: 'base' } })).wallet)
})

test('a wallet at a deposit address of the organization gets no deposit address: returned tokens would not stay', async () => {
  const { depositAddress } = await openOfframp()
  const { scope } = client
  const { wallet } = await registerWallet(fixture.parts, { scope, walletAddress: depositAddress!, blockchain: 'base' })
  const before = await accountsOf()
  await expect(openOfframp({ wallet: { walletId: wallet.walletId } })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  })
  expect(await accountsOf()).toEqual(before)
})

test('only a verified customer of the organization that is not archived gets an account', async () => {
  const { organizationId } = client
  const unverified = await client.recipient({ approved: false })
  const archived = await client.recipient()
  await archiveRecipient(fixture.parts, { organizationId, customerId: archived.customerId })
  const foreign = await (await fixture.organization()).recipient()
  const before = await accountsOf()
  for (const [code, { customerId: recipientId }] of [
    ['KYB_NOT_APPROVED', unverified],
    ['RECIPIENT_ARCHIVED', archived],
    ['RECIPIENT_NOT_FOUND', foreign],
  ] as const) {
    await expect(openOnramp({ recipientId })).rejects.toMatchObject({ code })
    await expect(openOfframp({ recipientId })).rejects.toMatchObject({ code })
  }
  const started = await fixture.organization({ verified: false })
  await expect(started.onramp()).rejects.toMatchObject({ code: 'KYB_NOT_APPROVED' })
  expect(await accountsOf()).toEqual(before)
})

test('a customer archived while the provider opens the account gets none', async () => {
  const { customerId } = await client.recipient()
  const { provider } = fixture.parts
  const slow: RampParts = {
    ...fixture.parts,
    provider: {
      ...provider,
      async openOnrampAccount(request) {
        const opened = await provider.openOnrampAccount(request)
        await archiveRecipient(fixture.parts, { organizationId: client.organizationId, customerId })
        return opened
      },
    },
  }
  await expect(openOnramp({ recipientId: customerId }, slow)).rejects.toMatchObject({ code: 'RECIPIENT_ARCHIVED' })
  expect((await accountsOf()).filter(({ customer_id }) => customer_id === customerId)).toEqual([])
})

test('a payout account needs the address of its recipient and a routing number with a valid check digit', async () => {
  const recipient = { organizationId: client.organizationId, name: 'Ada', type: 'individual', externalId: null }
  const { customerId: recipientId, kybReference } = await createRecipient(fixture.parts, {
    ...recipient,
    address: null,
  })
  await fixture.parts.db
    .updateTable('ramp_customers')
    .set({ kyb_status: 'approved' })
    .where('kyb_reference', '=', kybReference)
    .execute()
  await expect(openOfframp({ recipientId })).rejects.toMatchObject({ code: 'RECIPIENT_ADDRESS_REQUIRED' })
  expect(await openOnramp({ recipientId })).toMatchObject({ customerId: recipientId })
  await expect(openOfframp({}, { routingNumber: '021000022' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { issues: [{ path: 'bank_details.routing_number' }] },
  })
})

test('an asset that the chain does not have, or a provider that is missing, opens nothing', async () => {
  const before = await accountsOf()
  await expect(openOnramp({ asset: 'DOGE' })).rejects.toMatchObject({ code: 'ASSET_NOT_SUPPORTED' })
  const disabled = { ...fixture.parts, provider: createDisabledProvider() }
  await expect(openOnramp({}, disabled)).rejects.toMatchObject({ code: 'RAMP_UNAVAILABLE' })
  expect(await accountsOf()).toEqual(before)
})

test('an account commits together with the caller’s transaction', async () => {
  const before = await accountsOf()
  const transact = failingTransact<RampAccount>(fixture.parts.db, 'the response was not recorded')
  await expect(openOnrampAccount(fixture.parts, input(), transact)).rejects.toThrow('not recorded')
  expect(await accountsOf()).toEqual(before)
})

test('an organization at its quota opens no account of either direction, also with requests at once', async () => {
  const { organizationId } = client
  const limit = (await accountsOf()).length + 1
  await setQuotas(fixture.parts.db, organizationId, { rampAccounts: limit })
  let calls = 0
  const { provider } = fixture.parts
  const counted: RampParts['provider'] = {
    ...provider,
    openOnrampAccount: (request) => {
      calls += 1
      return provider.openOnrampAccount(request)
    },
    openOfframpAccount: (request) => {
      calls += 1
      return provider.openOfframpAccount(request)
    },
  }
  const parts = { ...fixture.parts, provider: counted }
  const results = await Promise.allSettled([
    openOnramp({}, parts),
    openOfframpAccount(parts, { ...input(), bank: BANK }),
    openOnramp({}, parts),
  ])
  expect(calls).toBe(1)
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused).toMatchObject([beyondQuota('rampAccounts', limit), beyondQuota('rampAccounts', limit)])
  expect(await accountsOf()).toHaveLength(limit)
  await setQuotas(fixture.parts.db, organizationId, {})
})
