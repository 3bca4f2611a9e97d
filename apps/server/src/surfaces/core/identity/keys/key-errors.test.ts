// Also holds: http/records/record-key-error.ts (what is recorded of a failed request), identity/keys/list-key-errors.ts.

import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CoreServer, coreServer, staffedOrganization } from '../../../../../testing/surfaces/core-server.ts'
import { generateKey } from '../../../../identity/index.ts'
import { Failure } from '../../../../kernel/index.ts'
import { keyErrorRoutes } from './key-errors.ts'

let server: CoreServer
let staff: Awaited<ReturnType<typeof staffedOrganization>>
beforeAll(async () => {
  server = await coreServer((app, parts) => {
    keyErrorRoutes(app, parts)
    const bank = Type.Object({ account_number: Type.String({ maxLength: 17 }) })
    const body = Type.Object({ usd_amount: Type.Number(), name: Type.String(), rail: Type.String(), bank })
    const config = { access: { surface: 'v1', needs: 'write', permission: 'ramp' }, limit: 'v1.write' } as const
    app.post('/v1/pay/:id', { config, schema: { params: Type.Object({ id: Type.Integer() }), body } }, async () => {
      throw new Failure('CONFLICT', { details: { reason: 'request_in_progress' } })
    })
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  staff = await staffedOrganization(server.parts)
})

const errors = async (token = staff.tokens.viewer) => {
  const { body, headers } = await server.call('GET', '/api/core/apikeys/errors?limit=10', { token })
  expect(headers['x-total-count']).toBe(String(body.data.length))
  return body.data
}
const key = async () =>
  generateKey(server.parts, { organizationId: staff.organizationId, createdBy: staff.ids.admin, name: 'Payroll' })
const BODY = { usd_amount: 12.5, name: 'Granite', rail: 'ach', bank: { account_number: '000123456789' } }

test('errors of one kind are one entry with the latest request, and no text that somebody typed', async () => {
  const { apiKey, id } = await key()
  const pay = (body: unknown) => server.call('POST', '/v1/pay/7', { key: apiKey, body })
  await pay(BODY)
  await pay(BODY)
  const latest = await pay(BODY)
  server.parts.clock.advance(1_000)
  await pay({ ...BODY, bank: { account_number: '1'.repeat(18) }, note: 'for Ada' })
  const [invalid, conflict, ...rest] = await errors()
  expect(rest).toEqual([])
  expect(conflict).toEqual({
    keyId: id,
    keyName: 'Payroll',
    method: 'POST',
    route: '/v1/pay/:id',
    status: 409,
    code: 'CONFLICT',
    count: 3,
    firstAt: '2026-01-01T00:00:00.000Z',
    lastAt: '2026-01-01T00:00:00.000Z',
    requestId: latest.headers['x-request-id'],
    reason: 'request_in_progress',
    issues: [],
    sent: {
      params: { id: 7 },
      body: {
        usd_amount: 12.5,
        name: 'text of 7 characters',
        rail: 'ach',
        bank: { account_number: 'text of 12 characters' },
      },
    },
  })
  expect(invalid).toMatchObject({
    code: 'VALIDATION_ERROR',
    count: 1,
    issues: [{ path: 'bank.account_number' }],
    sent: { body: { bank: { account_number: 'text of 18 characters' }, note: 'text of 7 characters' } },
  })
})

test('people and strangers leave no entry, and other organizations see none', async () => {
  await server.call('POST', '/v1/pay/7', { key: 'svc_sandbox_unknown', body: BODY })
  await server.call('POST', '/v1/pay/7', { token: staff.tokens.owner, body: BODY })
  expect(await errors()).toEqual([])
  const { apiKey } = await key()
  await server.call('POST', '/v1/pay/7', { key: apiKey, body: BODY })
  expect(await errors()).toHaveLength(1)
  expect(await errors((await staffedOrganization(server.parts)).tokens.owner)).toEqual([])
})
