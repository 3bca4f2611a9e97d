import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Data } from '../clients/api-types.ts'
import { withKey } from '../clients/client.ts'
import { expectRefusal } from '../clients/expect-refusal.ts'
import { type RegisteredOrganization, registerOrganization } from '../clients/register-organization.ts'
import { type System, startSystem } from '../service/start-system.ts'

interface Row {
  readonly id: number
  readonly requestId: string
  readonly status: number
}

let system: System
let party: RegisteredOrganization

beforeAll(async () => {
  system = await startSystem()
  party = await registerOrganization(system)
})
afterAll(() => system?.stop())

const list = async (query = '', of = party) =>
  (await of.owner.get<Data<Row[]>>(`/api/core/apikeys/requests${query}`)).body.data

test('a request with a key is found by its id within seconds, without its secret and what it sent', async () => {
  const { id, apiKey } = await party.key()
  const client = system.as(withKey(apiKey))
  const requestId = `of-a-test-${randomUUID()}`
  const headers = { 'x-request-id': requestId }
  const note = 'never to be stored'
  expect((await client.request('GET', '/v1/wallets?limit=5', { headers })).status).toBe(200)
  const refused = await client.post('/v1/wallets/register', { walletAddress: note, blockchain: 'polygon' })
  expectRefusal(refused, 400, 'INVALID_ADDRESS')
  expectRefusal(await client.get('/v1/operations/123456'), 404, 'OPERATION_NOT_FOUND')
  await vi.waitFor(async () => expect(await list(`?keyId=${id}`)).toHaveLength(3), { timeout: 30_000 })
  const actor = { type: 'key', id, name: 'A key' }
  expect(await list(`?keyId=${id}`)).toMatchObject([
    { actor, method: 'GET', route: '/v1/operations/:id', path: '/v1/operations/123456', code: 'OPERATION_NOT_FOUND' },
    {
      actor,
      method: 'POST',
      path: '/v1/wallets/register',
      status: 400,
      requestId: refused.headers.get('x-request-id'),
    },
    { actor, method: 'GET', path: '/v1/wallets', status: 200, code: null, requestId },
  ])
  expect(await list('?status=ok')).toMatchObject([{ requestId }])
  const everything = JSON.stringify(await list())
  for (const secret of [apiKey, apiKey.slice(-12), note, 'limit=5']) expect(everything).not.toContain(secret)
  expect(await list('', await registerOrganization(system))).toEqual([])
})

test('an agent that finds no work leaves no trace among the requests of its key', async () => {
  const { id, apiKey } = await party.key()
  const agent = system.as(withKey(apiKey))
  for (const what of ['transactions', 'actions'])
    expect((await agent.post(`/api/agent/${what}/poll`, {})).status).toBe(200)
  await agent.get('/v1/venues')
  await vi.waitFor(async () => expect(await list(`?keyId=${id}`)).not.toEqual([]), { timeout: 30_000 })
  expect(await list(`?keyId=${id}`)).toMatchObject([{ path: '/v1/venues' }])
})
