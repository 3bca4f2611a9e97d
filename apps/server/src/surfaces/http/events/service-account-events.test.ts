import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IdentityFixture, identityFixture, organization } from '../../../../testing/identity/identity-fixture.ts'
import { until } from '../../../../testing/index.ts'
import { openEventStream } from '../../../../testing/surfaces/open-event-stream.ts'
import { serveEvents, tellEvent } from '../../../../testing/surfaces/serve-events.ts'
import { authenticatorOf, createServiceAccount } from '../../../identity/index.ts'
import type { App } from '../index.ts'

let parts: IdentityFixture
let app: App
let url: string
let payment: number
let operation: number
const secrets: Record<string, string> = {}
let person: string

beforeAll(async () => {
  parts = await identityFixture()
  ;({ app, url } = await serveEvents(parts, authenticatorOf(parts)))
  const { organization: home, user, accessToken } = await organization(parts)
  const organizationId = home.id
  person = accessToken
  for (const role of ['viewer', 'admin'] as const) {
    const account = await createServiceAccount(parts, { organizationId, name: role, role, createdBy: user.id })
    secrets[role] = account.secret
  }
  payment = await tellEvent(parts, {
    organizationId,
    event: 'transaction.completed',
    objectId: 1,
    data: { transaction_id: 1, usd_amount: '125000.00', customer_name: 'Grace Hopper GmbH' },
  })
  operation = await tellEvent(parts, {
    organizationId,
    event: 'operation.completed',
    objectType: 'operation',
    objectId: 2,
    data: { operationId: 2 },
  })
})
afterAll(async () => {
  await app.close()
  await parts.close()
})

const get = (token: string, query: string) =>
  fetch(`${url}/api/core/events${query}`, { headers: { authorization: `Bearer ${token}` } })
async function idsOf(token: string, query: string): Promise<number[]> {
  const { data } = (await (await get(token, query)).json()) as { data: { events: { id: number }[] } }
  return data.events.map(({ id }) => id)
}

const LISTS = ['', '?after=0', '?before=0', '?from=2000-01-01T00:00:00Z']

test.each(LISTS)('a service account reads no events of the ramp by %j, a person reads them', async (query) => {
  for (const role of ['viewer', 'admin']) expect(await idsOf(secrets[role]!, query)).toEqual([operation])
  expect((await idsOf(person, query)).toSorted()).toEqual([payment, operation].toSorted())
})

test.each(['?rampTransactionId=1', '?event=transaction.completed'])(
  'a service account finds nothing by the filter %s',
  async (query) => {
    expect(await idsOf(secrets.viewer!, query)).toEqual([])
    expect(await idsOf(person, query)).toEqual([payment])
  },
)

test('an event of the ramp does not exist for a service account', async () => {
  expect((await get(secrets.viewer!, `/${payment}`)).status).toBe(404)
  expect((await get(secrets.viewer!, `/${operation}`)).status).toBe(200)
  expect((await get(person, `/${payment}`)).status).toBe(200)
})

test('a stream to a service account leaves the events of the ramp out', async () => {
  const stream = await openEventStream(`${url}/api/core/events?after=0`, { authorization: `Bearer ${secrets.viewer}` })
  await until(() => stream.frames().length > 0)
  expect(stream.frames().map(({ id }) => id)).toEqual([operation])
  stream.leave()
})
