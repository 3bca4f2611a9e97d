// Attacks by fields that no schema declares, named like what the service itself fills in: what an organization creates is
// its own, and another sees nothing of it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshAddress } from '../testing/fresh-address.ts'
import type { HttpClient } from './client.ts'
import { type RegisteredOrganization, registerOrganization } from './register-organization.ts'
import { sharedSystem } from './shared-system.ts'
import type { System } from './start-system.ts'

let system: System
let attacker: RegisteredOrganization
let victim: RegisteredOrganization

beforeAll(async () => {
  system = await sharedSystem()
  attacker = await registerOrganization(system)
  victim = await registerOrganization(system)
})
afterAll(() => system?.stop())

type As = 'owner' | 'key'
const creations: [string, As, string, string, () => object][] = [
  ['a recipient', 'key', '/v1/ramp/recipients', '/v1/ramp/recipients', () => ({ name: 'Acme Payroll' })],
  [
    'a wallet',
    'key',
    '/v1/wallets/register',
    '/v1/wallets',
    () => ({ walletAddress: freshAddress(), blockchain: 'base' }),
  ],
  [
    'a webhook',
    'owner',
    '/api/core/webhooks',
    '/api/core/webhooks',
    () => ({ url: 'https://hooks.example/weir', events: ['operation.completed'] }),
  ],
  ['a key', 'owner', '/api/core/apikeys/generate', '/api/core/apikeys', () => ({ name: 'Mine' })],
  ['a profile', 'owner', '/api/core/wallet-profiles', '/api/core/wallet-profiles', () => ({ name: 'Mine' })],
  ['a view', 'owner', '/api/core/saved-views', '/api/core/saved-views', () => ({ name: 'Mine', path: '/', query: '' })],
]

test.each(creations)('%s is created in the organization of the credential', async (_what, as, path, list, fields) => {
  const { organization, user } = victim.session
  const stowaways = {
    organizationId: organization.id,
    organization_id: organization.id,
    scope: { organizationId: organization.id, walletProfileId: null },
    createdBy: { type: 'user', id: user.id },
    customerId: 1,
  }
  const clientOf = async (one: RegisteredOrganization): Promise<HttpClient> => (as === 'key' ? one.client() : one.owner)
  const theirs = await clientOf(victim)
  const before = await theirs.get(list)
  const mine = await clientOf(attacker)
  const listed = await mine.get(list)
  const created = await mine.post(path, { ...fields(), ...stowaways })
  expect(created.status, created.text).toBe(201)
  expect((await theirs.get(list)).body).toEqual(before.body)
  expect((await mine.get(list)).body).not.toEqual(listed.body)
})
