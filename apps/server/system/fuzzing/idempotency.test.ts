import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Data, GeneratedKey, Session, Wallet } from '../clients/api-types.ts'
import { ANONYMOUS, type Refusal, withToken } from '../clients/client.ts'
import { expectIssues, expectRefusal } from '../clients/expect-refusal.ts'
import { type RegisteredOrganization, registerOrganization } from '../clients/register-organization.ts'
import { sharedSystem } from '../service/shared-system.ts'
import type { System } from '../service/start-system.ts'

let system: System
let party: RegisteredOrganization

beforeAll(async () => {
  system = await sharedSystem()
  party = await registerOrganization(system)
})
afterAll(() => system?.stop())

const path = '/v1/wallets/register'
const newAddress = () => privateKeyToAccount(generatePrivateKey()).address
const registration = () => ({ walletAddress: newAddress(), blockchain: 'polygon' })
const newKey = () => `key-${newAddress()}`

describe('an Idempotency-Key', () => {
  test('takes effect once: the same request gets the same status and body again, marked as replayed', async () => {
    const [idempotencyKey, body] = [newKey(), registration()]
    const first = await system.profile.post<Wallet>(path, body, { idempotencyKey })
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null])
    const again = await system.profile.post<Wallet>(path, body, { idempotencyKey })
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
    expect(again.text).toBe(first.text)
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
  })

  test('with another body, path or method is a conflict without effect', async () => {
    const [idempotencyKey, body, other] = [newKey(), registration(), registration()]
    await system.profile.post(path, body, { idempotencyKey })
    expectRefusal(await system.profile.post(path, other, { idempotencyKey }), 409, 'IDEMPOTENCY_CONFLICT')
    expectRefusal(
      await system.profile.post('/v1/sandbox/advance-time', { seconds: 1 }, { idempotencyKey }),
      409,
      'IDEMPOTENCY_CONFLICT',
    )
    const fresh = await system.profile.post(path, other)
    expect(fresh.status).toBe(201)
  })

  test('sent ten times concurrently takes effect once', async () => {
    const [idempotencyKey, body] = [newKey(), registration()]
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => system.profile.post<Wallet & Refusal>(path, body, { idempotencyKey })),
    )
    const done = answers.filter(({ status }) => status === 201)
    expect(done.length).toBeGreaterThanOrEqual(1)
    expect(new Set(done.map(({ body }) => body.walletId)).size).toBe(1)
    expect(done.filter(({ headers }) => !headers.has('idempotency-replayed'))).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expectRefusal(answer, 409, 'IDEMPOTENCY_CONFLICT')
    }
  })

  test('also replays a refusal, with the request id of the repetition', async () => {
    const idempotencyKey = newKey()
    const body = { walletAddress: '0x12', blockchain: 'polygon' }
    const first = await system.profile.post<Refusal>(path, body, { idempotencyKey })
    const again = await system.profile.post<Refusal>(path, body, { idempotencyKey })
    expectRefusal(first, 400, 'INVALID_ADDRESS')
    expectRefusal(again, 400, 'INVALID_ADDRESS')
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })

  test('is not consumed by a refused credential or scope', async () => {
    const [idempotencyKey, body] = [newKey(), registration()]
    expectRefusal(await system.admin.post(path, body, { idempotencyKey }), 403, 'FORBIDDEN')
    expect((await system.profile.post(path, body, { idempotencyKey })).status).toBe(201)
  })

  test('belongs to the organization: its other keys get the replay, other organizations their own effect', async () => {
    const [idempotencyKey, body] = [newKey(), registration()]
    const first = await system.profile.post<Wallet>(path, body, { idempotencyKey })
    const sibling = await system.organization.post<Wallet>(path, body, { idempotencyKey })
    expect([sibling.headers.get('idempotency-replayed'), sibling.text]).toEqual(['true', first.text])
    const stranger = await (await party.client()).post<Wallet>(path, body, { idempotencyKey })
    expect([stranger.status, stranger.headers.get('idempotency-replayed')]).toEqual([201, null])
    expect(stranger.body.walletId).not.toBe(first.body.walletId)
  })

  test('has 1 to 255 characters', async () => {
    expectIssues(
      await system.profile.post(path, registration(), { idempotencyKey: 'k'.repeat(256) }),
      'Idempotency-Key',
    )
    expectIssues(await system.profile.post(path, registration(), { idempotencyKey: '' }), 'Idempotency-Key')
    expect((await system.profile.post(path, registration(), { idempotencyKey: 'k'.repeat(255) })).status).toBe(201)
  })

  test('replays key generation, registration, log-in and refresh with their secrets null', async () => {
    const idempotencyKey = newKey()
    const generate = () =>
      party.owner.post<Data<GeneratedKey>>('/api/core/apikeys/generate', { name: 'K' }, { idempotencyKey })
    const first = await generate()
    const again = await generate()
    expect(first.body.data.apiKey).toMatch(/^svc_sandbox_[0-9A-Za-z]{32,}$/)
    expect(again.body.data).toEqual({ ...first.body.data, apiKey: null })
    expect(again.headers.get('idempotency-replayed')).toBe('true')

    const email = `once-${newAddress()}@weir.example`
    const password = 'a long enough password'
    const register = { email, password, organizationName: 'Once' }
    const nobody = system.as(ANONYMOUS)
    const [registerKey, loginKey, refreshKey] = [newKey(), newKey(), newKey()]
    const registered = await nobody.post<Data<Session>>('/api/core/auth/register', register, {
      idempotencyKey: registerKey,
    })
    const replayed = await nobody.post<Data<Session>>('/api/core/auth/register', register, {
      idempotencyKey: registerKey,
    })
    const hidden = { accessToken: null, refreshToken: null }
    expect([replayed.status, replayed.body.data]).toEqual([201, { ...registered.body.data, ...hidden }])

    const login = () =>
      nobody.post<Data<Session>>('/api/core/auth/login', { email, password }, { idempotencyKey: loginKey })
    const loggedIn = await login()
    expect((await login()).body.data).toEqual({ ...loggedIn.body.data, ...hidden })

    const { refreshToken } = loggedIn.body.data
    const refresh = () =>
      nobody.post<Data<Session>>('/api/core/auth/refresh', { refreshToken }, { idempotencyKey: refreshKey })
    const refreshed = await refresh()
    expect(refreshed.status).toBe(200)
    expect((await refresh()).body.data).toEqual({ ...refreshed.body.data, ...hidden })
    // The replay did not count as a second use of the token, which would have ended the session.
    const me = await system.as(withToken(refreshed.body.data.accessToken)).get('/api/core/auth/me')
    expect(me.status).toBe(200)
  })
})
