import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CoreServer, coreServer, staffedOrganization } from '../../../../testing/surfaces/core-server.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../../../testing/webhooks/webhook-receiver.ts'
import { createSealer, QUOTAS, systemRandomSource } from '../../../kernel/index.ts'
import { createDeliveryWorker, relayEvents, type WebhookParts } from '../../../webhooks/index.ts'
import { webhookDeliveryRoutes } from './deliveries.ts'
import { webhookRoutes } from './webhooks.ts'

let server: CoreServer
let sink: WebhookReceiver
let staff: Awaited<ReturnType<typeof staffedOrganization>>
const sealer = createSealer('0a'.repeat(32), 'webhooks', systemRandomSource)
const events = createSealer('0a'.repeat(32), 'events', systemRandomSource)
const partsOf = (allowLocal = true): WebhookParts => ({
  ...server.parts,
  sealer,
  events,
  rules: { allowLocal, allowed: [] },
})

beforeAll(async () => {
  sink = await startWebhookReceiver()
  server = await coreServer((app, parts) => {
    const all = { ...parts, sealer, events, rules: { allowLocal: true, allowed: [] } }
    webhookRoutes(app, all)
    webhookDeliveryRoutes(app, all)
  })
})
afterAll(async () => {
  await server.close()
  await sink.close()
})
beforeEach(async () => {
  staff = await staffedOrganization(server.parts)
  sink.received.length = 0
})

const base = '/api/core/webhooks'
const create = (body: object = { url: sink.url, events: ['*'] }, more: object = {}) =>
  server.call('POST', base, { token: staff.tokens.admin, body, ...more })
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
const call = (method: Method, path: string, body?: unknown, token = staff.tokens.admin) =>
  server.call(method, base + path, { token, ...(body === undefined ? {} : { body }) })

async function deliver(): Promise<void> {
  const deliverer = createDeliveryWorker(partsOf())
  await relayEvents(server.parts)
  await deliverer.runOnce()
  await deliverer.onIdle()
  await deliverer.stop()
}

test('a webhook is created, read, changed, listed and deleted; its secret is shown once', async () => {
  const made = await create({ url: `${sink.url}/in`, events: ['operation.completed'], description: 'Books' })
  expect(made.status).toBe(201)
  const { secret, ...webhook } = made.body.data
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(webhook).toEqual({
    id: expect.any(Number),
    url: `${sink.url}/in`,
    events: ['operation.completed'],
    description: 'Books',
    status: 'active',
    disabledBecause: null,
    failingSince: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    createdBy: { type: 'user', id: staff.ids.admin },
    updatedAt: '2026-01-01T00:00:00.000Z',
  })
  expect((await call('GET', `/${webhook.id}`)).body).toEqual({ success: true, data: webhook })
  const changed = await call('PATCH', `/${webhook.id}`, { events: ['*', 'operation.failed'], enabled: false })
  const now = { ...webhook, events: ['*'], status: 'disabled', disabledBecause: 'asked' }
  expect(changed).toMatchObject({ status: 200, body: { data: now } })
  const list = await call('GET', '', undefined, staff.tokens.viewer)
  expect([list.body.data, list.headers['x-total-count']]).toEqual([[now], '1'])
  expect((await call('DELETE', `/${webhook.id}`)).body).toEqual({ success: true, data: { deleted: true } })
  expect((await call('GET', `/${webhook.id}`)).status).toBe(404)
})

test('a list of webhooks is complete by default, or one page on request', async () => {
  const made = [await create(), await create(), await create()].map(({ body }) => body.data.id)
  const idsOf = async (query: string) => {
    const { body, headers } = await call('GET', query)
    return [body.data.map(({ id }: { id: number }) => id), headers['x-total-count']]
  }
  expect(await idsOf('')).toEqual([made.toReversed(), '3'])
  expect(await idsOf('?limit=1&offset=1')).toEqual([[made[1]], '3'])
  expect((await call('GET', '?limit=101')).status).toBe(400)
})

test('the list is filtered by status and by a part of URL or description', async () => {
  const made = async (path: string, description: string | null) =>
    (await create({ url: `${sink.url}/${path}`, events: ['*'], description })).body.data.id as number
  const ledger = await made('ledger', null)
  const crm = await made('crm', 'Sales 100%')
  const off = await made('old', null)
  await call('PATCH', `/${off}`, { enabled: false })
  await server.parts.db
    .updateTable('webhooks')
    .set({ failing_at: server.parts.clock.now(), failing_since: server.parts.clock.now() })
    .where('organization_id', '=', staff.organizationId)
    .where('id', '=', crm)
    .execute()
  const find = async (query: string) => {
    const { body, headers } = await call('GET', query)
    return [headers['x-total-count'], body.data?.map(({ id }: { id: number }) => id)]
  }
  expect(await find('?status=ACTIVE')).toEqual(['1', [ledger]])
  expect(await find('?status=failing')).toEqual(['1', [crm]])
  expect(await find('?status=disabled')).toEqual(['1', [off]])
  expect(await find('?q=/LED')).toEqual(['1', [ledger]])
  expect(await find('?q=sales%20100%25')).toEqual(['1', [crm]])
  expect(await find('?q=_&limit=1')).toEqual(['0', []])
  expect(await find('?q=http&limit=1')).toEqual(['3', [off]])
  expect(await find('?q=http&status=failing')).toEqual(['1', [crm]])
  for (const query of ['?status=broken', '?q='])
    expect(await call('GET', query)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
})

test('a repetition returns the same webhook, without its secret', async () => {
  const first = await create(undefined, { idempotencyKey: 'make' })
  const second = await create(undefined, { idempotencyKey: 'make' })
  expect(second.headers['idempotency-replayed']).toBe('true')
  expect(second.body.data).toEqual({ ...first.body.data, secret: null })
  expect((await call('GET', '')).body.data).toHaveLength(1)
  const path = `${base}/${first.body.data.id}/rotate-secret`
  const rotate = () => server.call('POST', path, { token: staff.tokens.admin, idempotencyKey: 'rotate', body: {} })
  const rotated = await rotate()
  expect(rotated.status).toBe(200)
  expect(rotated.body.data.secret).not.toBe(first.body.data.secret)
  expect(rotated.body.data.oldSecretValidUntil).toBe('2026-01-02T00:00:00.000Z')
  expect((await rotate()).body.data).toEqual({ ...rotated.body.data, secret: null })
})

test('a rotation is refused while five old secrets sign, and says until when', async () => {
  const { id } = (await create()).body.data
  const rotate = () => call('POST', `/${id}/rotate-secret`, {})
  for (let n = 0; n < 5; n += 1) expect((await rotate()).status).toBe(200)
  expect(await rotate()).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT', details: { reason: 'old_secrets_work', until: '2026-01-02T00:00:00.000Z' } },
  })
})

test('neither the database nor the stored response contains a secret in plain text', async () => {
  const { data } = (await create(undefined, { idempotencyKey: 'canary' })).body
  const tables = ['webhooks', 'idempotency_keys', 'outbox', 'webhook_deliveries', 'audit_log'] as const
  await call('POST', `/${data.id}/test`, {})
  await deliver()
  for (const table of tables) {
    const rows = await server.parts.db
      .selectFrom(table as 'webhooks')
      .selectAll()
      .execute()
    const dump = rows.map((row) =>
      Object.values(row).map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value))),
    )
    expect(JSON.stringify(dump)).not.toContain(data.secret.slice('whsec_'.length))
  }
})

test('viewers and approvers can read, and change nothing', async () => {
  const { id } = (await create()).body.data
  for (const token of [staff.tokens.viewer, staff.tokens.approver]) {
    expect((await call('GET', `/${id}`, undefined, token)).status).toBe(200)
    expect((await call('GET', `/${id}/deliveries`, undefined, token)).status).toBe(200)
    expect((await call('POST', '', { url: sink.url, events: ['*'] }, token)).status).toBe(403)
    expect((await call('PATCH', `/${id}`, {}, token)).status).toBe(403)
    expect((await call('DELETE', `/${id}`, undefined, token)).status).toBe(403)
    expect((await call('POST', `/${id}/test`, {}, token)).status).toBe(403)
    expect((await call('POST', `/${id}/rotate-secret`, {}, token)).status).toBe(403)
  }
})

test('an invalid URL or filter is reported at its field', async () => {
  const bad: [object, string][] = [
    [{ url: 'not a url', events: ['*'] }, 'url'],
    [{ url: 'ftp://a.example/', events: ['*'] }, 'url'],
    [{ url: 'https://user@a.example/', events: ['*'] }, 'url'],
    [{ url: 'https://10.0.0.1/', events: ['*'] }, 'url'],
    [{ url: 'https://169.254.169.254/', events: ['*'] }, 'url'],
    [{ url: sink.url, events: [] }, 'events'],
    [{ url: sink.url, events: ['operation.completed', 'operation.dreamt'] }, 'events[1]'],
    [{ events: ['*'] }, 'url'],
  ]
  for (const [body, path] of bad) {
    const { status, body: answer } = await create(body)
    expect([status, answer.code, answer.details?.issues?.[0]?.path], JSON.stringify(body)).toEqual([
      400,
      'VALIDATION_ERROR',
      path,
    ])
  }
})

test('a test event is queued, delivered, listed and replayed; another organization cannot see it', async () => {
  const { id } = (await create()).body.data
  const queued = await call('POST', `/${id}/test`, {})
  expect(queued).toMatchObject({ status: 202, body: { data: { webhookId: expect.stringMatching(/^evt_\d+$/) } } })
  await deliver()
  expect(sink.received).toHaveLength(1)
  const list = await call('GET', `/${id}/deliveries`)
  const [delivery] = list.body.data
  expect(delivery).toEqual({
    id: expect.any(Number),
    webhookId: queued.body.data.webhookId,
    eventId: queued.body.data.eventId,
    event: 'webhook.test',
    status: 'delivered',
    attempts: [{ at: expect.any(String), statusCode: 200, error: null, durationMs: expect.any(Number) }],
    nextAttemptAt: null,
    createdAt: expect.any(String),
  })
  expect((await call('GET', `/${id}/deliveries?status=failed`)).body.data).toEqual([])
  expect((await call('GET', `/${id}/deliveries?status=DELIVERED`)).body.data).toEqual(list.body.data)
  expect((await call('GET', `/${id}/deliveries?status=lost`)).status).toBe(400)
  expect((await call('GET', `/${id}/deliveries?operationId=${queued.body.data.eventId}`)).body.data).toEqual([])
  const replayed = await call('POST', `/deliveries/${delivery.id}/replay`, {})
  expect(replayed).toMatchObject({ status: 202, body: { data: { id: delivery.id, status: 'pending' } } })
  await deliver()
  expect(sink.received).toHaveLength(2)

  const stranger = (await staffedOrganization(server.parts)).tokens.owner
  const paths: [Method, string][] = [
    ['GET', `/${id}`],
    ['PATCH', `/${id}`],
    ['DELETE', `/${id}`],
    ['POST', `/${id}/test`],
    ['POST', `/${id}/rotate-secret`],
    ['GET', `/${id}/deliveries`],
    ['POST', `/deliveries/${delivery.id}/replay`],
  ]
  for (const [method, path] of paths) {
    const answer = await call(method, path, method === 'GET' || method === 'DELETE' ? undefined : {}, stranger)
    expect([answer.status, answer.body.code], `${method} ${path}`).toEqual([404, 'NOT_FOUND'])
  }
})

test('a disabled webhook accepts neither test nor replay, and an organization has at most 100', async () => {
  const { id } = (await create()).body.data
  await call('POST', `/${id}/test`, {})
  await deliver()
  const [delivery] = (await call('GET', `/${id}/deliveries`)).body.data
  await call('PATCH', `/${id}`, { enabled: false })
  expect((await call('POST', `/${id}/test`, {})).body.code).toBe('CONFLICT')
  expect((await call('POST', `/deliveries/${delivery.id}/replay`, {})).body.code).toBe('CONFLICT')
  for (let made = 1; made < QUOTAS.webhooks; made += 1) expect((await create()).status).toBe(201)
  expect(await create()).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
})
