// Attacks by fields that no schema declares, named like what the service itself fills in: what an organization creates stays
// with that organization.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshAddress } from '../../testing/chains/fresh-address.ts'
import type { HttpClient } from '../clients/client.ts'
import { type RegisteredOrganization, registerOrganization } from '../clients/register-organization.ts'
import { sharedSystem } from '../service/shared-system.ts'
import type { System } from '../service/start-system.ts'

let system: System
let attacker: RegisteredOrganization
let victim: RegisteredOrganization

beforeAll(async () => {
  system = await sharedSystem()
  attacker = await registerOrganization(system)
  victim = await registerOrganization(system)
})
afterAll(() => system?.stop())

const creations: { what: string; as: 'owner' | 'key'; path: string; list?: string; fields: () => object }[] = [
  { what: 'a recipient', as: 'key', path: '/v1/ramp/recipients', fields: () => ({ name: 'Acme Payroll' }) },
  {
    what: 'a wallet',
    as: 'key',
    path: '/v1/wallets/register',
    list: '/v1/wallets',
    fields: () => ({ walletAddress: freshAddress(), blockchain: 'base' }),
  },
  {
    what: 'a webhook',
    as: 'owner',
    path: '/api/core/webhooks',
    fields: () => ({ url: 'https://hooks.example/weir', events: ['operation.completed'] }),
  },
  {
    what: 'a key',
    as: 'owner',
    path: '/api/core/apikeys/generate',
    list: '/api/core/apikeys',
    fields: () => ({ name: 'Mine' }),
  },
  { what: 'a profile', as: 'owner', path: '/api/core/wallet-profiles', fields: () => ({ name: 'Mine' }) },
  {
    what: 'a view',
    as: 'owner',
    path: '/api/core/saved-views',
    fields: () => ({ name: 'Mine', path: '/', query: '' }),
  },
]

test.each(creations)('$what is created in the organization of the credential', async (creation) => {
  const { as, path, list = path, fields } = creation
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
