// Attacks on the allow-list of destinations: each says what was tried and what came back, and that nothing changed.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { registerWallet } from '../../src/wallets/index.ts'
import type { Refusal } from '../clients/client.ts'
import { type DutiesService, type Staff, startDutiesService } from '../clients/separation-of-duties-fixture.ts'

const ONE = { requiredApprovals: 1, coolingOffSeconds: 0 }
const BANK = {
  routing_number: '021000021',
  account_number: '000123456789',
  account_type: 'checking',
  account_holder_name: 'Basalt Payments',
  bank_name: 'First Bank',
}

let service: DutiesService
let us: Staff
let parts: DutiesService['parts']
let changes: DutiesService['changes']
let expectRefused: DutiesService['expectRefused']

beforeAll(async () => {
  service = await startDutiesService()
  ;({ parts, changes, expectRefused } = service)
})
afterAll(() => service?.stop())
beforeEach(async () => {
  us = await service.staffed()
  await changes.drain()
})

test('with the allow-list enforced, accounts for a wallet that is not on it: 403, on either side', async () => {
  const { wallet } = await registerWallet(parts, {
    scope: { organizationId: us.organizationId, walletProfileId: null },
    walletAddress: '0x00000000000000000000000000000000000000aa',
    blockchain: 'base',
  })
  await us.key.post('/v1/ramp/org/kyb/start')
  await us.key.post('/v1/ramp/org/kyb/simulate-approve')
  await us.people.owner.request('PUT', '/api/core/destinations/enforcement', { body: { enforced: true } })
  await changes.drain()
  const onramp = { destination_wallet_id: wallet.walletId }
  const offramp = { org_wallet_id: wallet.walletId, bank_details: BANK }
  await expectRefused(us.key.post('/v1/ramp/org/onramp-accounts', onramp), 403, 'destination_not_allowed')
  await expectRefused(us.key.post('/v1/ramp/org/offramp-accounts', offramp), 403, 'destination_not_allowed')
  const spelling = { blockchain: 'base', address: wallet.address.toUpperCase().replace('0X', '0x'), label: 'Treasury' }
  expect((await us.people.owner.post('/api/core/destinations', spelling)).status).toBe(201)
  expect((await us.key.post('/v1/ramp/org/onramp-accounts', onramp)).status).toBe(201)
  expect((await us.key.post('/v1/ramp/org/offramp-accounts', offramp)).status).toBe(201)
})

test.each([
  ['lower case', (address: string) => address.toLowerCase(), 409],
  ['upper case', (address: string) => `0x${address.slice(2).toUpperCase()}`, 409],
  ['a space before', (address: string) => ` ${address}`, 400],
  ['a line end after', (address: string) => `${address}\n`, 400],
  ['a wrong checksum', (address: string) => address.replace('A', 'a'), 400],
  ['a letter that looks the same', (address: string) => address.replace('A', 'А'), 400],
  ['zeros in front', (address: string) => address.replace('0x', '0x00'), 400],
])('a listed address is added again in %s: refused', async (_what, spell, status) => {
  const address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
  const add = (text: string) =>
    us.people.owner.post<Refusal>('/api/core/destinations', { blockchain: 'base', address: text, label: 'Treasury' })
  expect((await add(address)).status).toBe(201)
  await changes.drain()
  await expectRefused(add(spell(address)), status)
})

test('an admin adds an address to the list and switches its enforcement off alone: 202, neither happens', async () => {
  const rules = { destinations: ONE }
  expect((await us.people.owner.request('PUT', '/api/core/change-policy', { body: { rules } })).status).toBe(200)
  const { admin } = us.people
  const destination = { blockchain: 'base', address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', label: 'Mine' }
  expect((await admin.post('/api/core/destinations', destination)).status).toBe(202)
  expect((await admin.request('PUT', '/api/core/destinations/enforcement', { body: { enforced: false } })).status).toBe(
    202,
  )
  expect((await admin.get('/api/core/destinations')).body).toMatchObject({ data: { destinations: [] } })
})
