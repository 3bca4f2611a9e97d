import { randomUUID } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Data, GeneratedKey, Profile, Session, Wallet, WalletDetail, WalletList } from '../clients/api-types.ts'
import { ANONYMOUS, type HttpClient, type HttpResponse, type Refusal, withKey, withToken } from '../clients/client.ts'
import { expectIssues, expectRefusal } from '../clients/expect-refusal.ts'
import { type RegisteredOrganization, registerOrganization } from '../clients/register-organization.ts'
import { createWalletClient } from '../clients/wallet-client.ts'
import { sharedSystem } from '../service/shared-system.ts'
import type { System } from '../service/start-system.ts'

let system: System
let party: RegisteredOrganization
let nobody: HttpClient

beforeAll(async () => {
  system = await sharedSystem()
  nobody = system.as(ANONYMOUS)
  party = await registerOrganization(system)
})
afterAll(() => system?.stop())

const newAddress = () => privateKeyToAccount(generatePrivateKey()).address
const newEmail = () => `person-${randomUUID()}@weir.example`
const PASSWORD = 'a long enough password'
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
/** A response without the parts that differ between any two. */
const told = ({ status, body }: HttpResponse<unknown>) => ({ status, ...(body as object), requestId: undefined })

describe('registering and signing in', () => {
  test('returns 201 with a session of an hour, whose owner has an organization with a default profile', async () => {
    const email = newEmail()
    const registration = { email: email.toUpperCase(), password: PASSWORD, organizationName: 'Quartz' }
    const { status, body } = await nobody.post<Data<Session>>('/api/core/auth/register', registration)
    expect(status).toBe(201)
    expect(body).toEqual({
      success: true,
      data: {
        accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        tokenType: 'Bearer',
        expiresIn: 3_600,
        refreshToken: expect.any(String),
        user: { id: expect.any(Number), email, name: null, role: 'owner' },
        organization: { id: expect.any(Number), name: 'Quartz' },
      },
    })
    const owner = system.as(withToken(body.data.accessToken))
    const { user, organization } = body.data
    expect((await owner.get('/api/core/auth/me')).body).toEqual({ success: true, data: { user, organization } })
    const profiles = (await owner.get<Data<Profile[]>>('/api/core/wallet-profiles')).body.data
    expect(profiles).toMatchObject([{ name: 'default', operationTimeoutSeconds: 120 }])
  })

  test('refuses short passwords, invalid email addresses, and an email address that is taken', async () => {
    const registration = { email: newEmail(), password: PASSWORD, organizationName: 'Slate' }
    const register = (body: unknown) => nobody.post('/api/core/auth/register', body)
    expectIssues(await register({ ...registration, password: 'elevenchars' }), 'password')
    expectRefusal(await register({ ...registration, email: 'nobody' }), 400, 'VALIDATION_ERROR')
    expectIssues(await register({}), 'email', 'organizationName', 'password')
    expect((await register(registration)).status).toBe(201)
    expectRefusal(await register({ ...registration, email: registration.email.toUpperCase() }), 409, 'CONFLICT')
  })

  test('does not reveal whether an email address is unknown or a password is wrong', async () => {
    const login = (email: string, password: string) => nobody.post<Refusal>('/api/core/auth/login', { email, password })
    const wrong = await login(party.email, 'this is not the password')
    expectRefusal(wrong, 401, 'UNAUTHORIZED')
    expect(told(await login(newEmail(), PASSWORD))).toEqual(told(wrong))
    expect((await nobody.post('/api/core/auth/login', { email: party.email, password: PASSWORD })).status).toBe(200)
  })

  test('locks an account for an address after ten failures, even with the right password', async () => {
    const other = await registerOrganization(system)
    const login = (password: string) => nobody.post('/api/core/auth/login', { email: other.email, password })
    for (let failure = 0; failure < 10; failure++) expectRefusal(await login('wrong password'), 401, 'UNAUTHORIZED')
    const closed = await login(other.password)
    expectRefusal(closed, 429, 'RATE_LIMIT_EXCEEDED')
    expect(Number(closed.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await nobody.post('/api/core/auth/login', { email: party.email, password: PASSWORD })).status).toBe(200)
  })

  test('rotates refresh tokens; reusing one ends the whole session', async () => {
    const { session } = await registerOrganization(system)
    const refresh = (refreshToken: string) => nobody.post<Data<Session>>('/api/core/auth/refresh', { refreshToken })
    const second = await refresh(session.refreshToken)
    expect(second.status).toBe(200)
    expect(second.body.data.refreshToken).not.toBe(session.refreshToken)
    const third = await refresh(second.body.data.refreshToken)
    expect(third.status).toBe(200)
    expectRefusal(await refresh(session.refreshToken), 401, 'UNAUTHORIZED')
    expectRefusal(await refresh(third.body.data.refreshToken), 401, 'UNAUTHORIZED')
    expectRefusal(await refresh('nonsense'), 401, 'UNAUTHORIZED')
    const token = withToken(third.body.data.accessToken)
    expectRefusal(await system.as(token).get('/api/core/auth/me'), 401, 'UNAUTHORIZED')
  })

  test('logging out revokes both tokens', async () => {
    const { session, owner } = await registerOrganization(system)
    expect((await owner.post('/api/core/auth/logout')).status).toBe(200)
    expectRefusal(await owner.get('/api/core/auth/me'), 401, 'UNAUTHORIZED')
    const { refreshToken } = session
    expectRefusal(await nobody.post('/api/core/auth/refresh', { refreshToken }), 401, 'UNAUTHORIZED')
  })
})

describe('members', () => {
  test('can do what their role allows: viewers and approvers read, admins manage, owners add owners', async () => {
    const { owner } = await registerOrganization(system)
    const sign = async (role: string) => {
      const email = newEmail()
      const made = await owner.post('/api/core/members', { email, password: PASSWORD, role, name: role })
      expect(made.status).toBe(201)
      const session = await nobody.post<Data<Session>>('/api/core/auth/login', { email, password: PASSWORD })
      return system.as(withToken(session.body.data.accessToken))
    }
    for (const role of ['viewer', 'approver']) {
      const person = await sign(role)
      expect((await person.get('/api/core/members')).status).toBe(200)
      expect((await person.get('/api/core/apikeys')).status).toBe(200)
      expectRefusal(await person.post('/api/core/apikeys/generate', { name: 'K' }), 403, 'FORBIDDEN')
      expectRefusal(await person.post('/api/core/wallet-profiles', { name: 'P' }), 403, 'FORBIDDEN')
      expectRefusal(
        await person.post('/api/core/members', { email: newEmail(), password: PASSWORD, role: 'viewer' }),
        403,
        'FORBIDDEN',
      )
    }
    const admin = await sign('admin')
    expect((await admin.post('/api/core/apikeys/generate', { name: 'K' })).status).toBe(201)
    expectRefusal(
      await admin.post('/api/core/members', { email: newEmail(), password: PASSWORD, role: 'owner' }),
      403,
      'FORBIDDEN',
    )
    const list = await owner.get<Data<{ role: string }[]>>('/api/core/members')
    expect(list.body.data.map(({ role }) => role)).toEqual(['admin', 'approver', 'viewer', 'owner'])
    expect(list.headers.get('x-total-count')).toBe('4')
    const part = await owner.get<Data<{ role: string }[]>>('/api/core/members?limit=1&offset=1')
    expect([part.body.data.map(({ role }) => role), part.headers.get('x-total-count')]).toEqual([['approver'], '4'])
  })
})

describe('API keys', () => {
  test('are shown once, listed without their value, and stop working the moment they are deleted', async () => {
    const { owner, key } = await registerOrganization(system)
    const made = await owner.post<Data<GeneratedKey>>('/api/core/apikeys/generate', { name: 'Payroll' })
    expect(made.status).toBe(201)
    const { id, apiKey, createdAt } = made.body.data
    expect(apiKey).toMatch(/^svc_sandbox_[0-9A-Za-z]{32,}$/)
    expect(createdAt).toMatch(ISO)
    const profileKey = await key({ walletProfileId: await defaultProfile(owner) })
    const adminKey = await key({ isAdmin: true })
    const list = await owner.get<Data<Record<string, unknown>[]>>('/api/core/apikeys')
    expect(list.body.data.map(({ id: listed, scope }) => [listed, scope])).toEqual([
      [adminKey.id, 'admin'],
      [profileKey.id, 'profile'],
      [id, 'organization'],
    ])
    expect(list.headers.get('x-total-count')).toBe('3')
    expect(list.body.data[2]).toEqual({
      id,
      name: 'Payroll',
      createdAt,
      createdBy: expect.any(Number),
      lastUsedAt: null,
      lastUsedAddress: null,
      scope: 'organization',
      walletProfileId: null,
      permissions: null,
      allowedAddresses: null,
      expiresAt: null,
      keyPreview: expect.stringContaining(apiKey.slice(-4)),
    })
    expect(list.text).not.toContain(apiKey)

    const client = system.as(withKey(apiKey))
    expect((await client.get('/v1/wallets')).status).toBe(200)
    expect((await client.post<Data<unknown>>('/api/core/apikeys/validate')).body.data).toMatchObject({ valid: true })
    const gone = await owner.delete(`/api/core/apikeys/${id}`)
    expect([gone.status, gone.body]).toEqual([200, { success: true, data: { deleted: true } }])
    expectRefusal(await client.get('/v1/wallets'), 403, 'API_KEY_DISABLED')
    expect((await client.post<Data<unknown>>('/api/core/apikeys/validate')).body.data).toEqual({
      valid: false,
      message: expect.stringMatching(/\S/),
    })
  })

  const defaultProfile = async (owner: HttpClient) =>
    (await owner.get<Data<Profile[]>>('/api/core/wallet-profiles')).body.data.find(({ name }) => name === 'default')!.id

  test('have one scope: a profile together with admin, or a missing profile, is refused', async () => {
    const { owner } = await registerOrganization(system)
    const generate = (body: unknown) => owner.post('/api/core/apikeys/generate', body)
    const walletProfileId = await defaultProfile(owner)
    expectRefusal(await generate({ name: 'K', walletProfileId, isAdmin: true }), 400, 'VALIDATION_ERROR')
    expectRefusal(await generate({ name: 'K', walletProfileId: await defaultProfile(party.owner) }), 404, 'NOT_FOUND')
    expectIssues(await generate({}), 'name')
    expectIssues(await generate({ name: '' }), 'name')
    expectIssues(await generate({ name: 'K', isAdmin: 'yes' }), 'isAdmin')
  })

  test('are refused if invalid or on the wrong routes, in the format of each surface', async () => {
    const keys = { 'of nobody': `svc_sandbox_${'a'.repeat(36)}`, 'of live': `svc_live_${'a'.repeat(36)}`, none: 'x' }
    for (const key of Object.values(keys)) {
      const client = system.as(withKey(key))
      expectRefusal(await client.get('/v1/wallets'), 401, 'INVALID_API_KEY')
      const validity = await client.post<Data<{ valid: boolean }>>('/api/core/apikeys/validate')
      expect([validity.status, validity.body.data.valid]).toEqual([200, false])
    }
    expectRefusal(await nobody.post('/api/core/apikeys/validate'), 401, 'UNAUTHORIZED')
    expectRefusal(await nobody.get('/v1/wallets'), 401, 'INVALID_API_KEY')
    expectRefusal(await party.owner.get('/v1/wallets'), 401, 'INVALID_API_KEY')
    const client = await party.client()
    for (const path of ['/api/core/members', '/api/core/apikeys', '/api/core/wallet-profiles', '/api/core/auth/me']) {
      expectRefusal(await client.get(path), 401, 'UNAUTHORIZED')
      expectRefusal(await nobody.get(path), 401, 'UNAUTHORIZED')
      expectRefusal(await system.as(withToken('a.b.c')).get(path), 401, 'UNAUTHORIZED')
    }
  })

  test('with admin scope read everything and write nothing', async () => {
    const { walletId } = await createWalletClient(system.profile, 'polygon')
    for (const path of [
      '/v1/wallets',
      `/v1/wallets/${walletId}`,
      '/v1/venues',
      '/v1/operations',
      '/v1/sandbox/networks',
    ]) {
      expect((await system.admin.get(path)).status).toBe(200)
    }
    expect((await system.admin.post('/v1/allocations', { walletId })).status).toBe(200)
    const writes: [string, string][] = [
      ['POST', '/v1/wallets/register'],
      ['PATCH', `/v1/wallets/${walletId}`],
      ['POST', '/v1/operations/supply'],
      ['POST', '/v1/operations/unwind'],
      ['POST', '/v1/operations/1/cancel'],
      ['POST', '/v1/transactions/submit-signed'],
      ['POST', '/v1/sandbox/faucet'],
      ['POST', '/v1/sandbox/advance-time'],
      ['POST', '/v1/sandbox/chain-faults'],
    ]
    for (const [method, path] of writes) {
      expectRefusal(await system.admin.request(method, path, { body: {} }), 403, 'FORBIDDEN')
    }
  })
})

describe('wallet profiles', () => {
  test('are created, changed and deleted; one with wallets cannot be deleted; deletion disables its keys', async () => {
    const { owner, client } = await registerOrganization(system)
    const made = await owner.post<Data<Profile>>('/api/core/wallet-profiles', { name: 'Treasury' })
    expect(made.status).toBe(201)
    const { id } = made.body.data
    expect(made.body.data).toMatchObject({ name: 'Treasury', operationTimeoutSeconds: 120 })
    const change = { name: 'Treasury 2', enabledChains: ['base'], operationTimeoutSeconds: 3_600 }
    expect((await owner.patch<Data<Profile>>(`/api/core/wallet-profiles/${id}`, change)).body.data).toMatchObject(
      change,
    )
    expect((await owner.get<Data<Profile>>(`/api/core/wallet-profiles/${id}`)).body.data).toMatchObject(change)
    for (const operationTimeoutSeconds of [29, 3_601, 60.5, '60']) {
      const answer = await owner.patch(`/api/core/wallet-profiles/${id}`, { operationTimeoutSeconds })
      expectIssues(answer, 'operationTimeoutSeconds')
    }
    expectRefusal(
      await owner.post('/api/core/wallet-profiles', { name: 'X', enabledChains: ['moon'] }),
      400,
      'VALIDATION_ERROR',
    )

    const inside = await client({ walletProfileId: id })
    await createWalletClient(inside, 'base')
    expectRefusal(await owner.delete(`/api/core/wallet-profiles/${id}`), 409, 'CONFLICT')
    const empty = (await owner.post<Data<Profile>>('/api/core/wallet-profiles', { name: 'Empty' })).body.data
    const orphan = await client({ walletProfileId: empty.id })
    expect((await orphan.get('/v1/wallets')).status).toBe(200)
    expect((await owner.delete(`/api/core/wallet-profiles/${empty.id}`)).status).toBe(200)
    expectRefusal(await orphan.get('/v1/wallets'), 403, 'API_KEY_DISABLED')
    expectRefusal(await owner.get(`/api/core/wallet-profiles/${empty.id}`), 404, 'NOT_FOUND')
  })

  test('keep their wallets: another profile gets CONFLICT, the organization the existing wallet', async () => {
    const { owner, profile, client } = await registerOrganization(system)
    const [one, two] = [await profile({ name: 'one' }), await profile({ name: 'two' })]
    const [first, second, all] = [
      await client({ walletProfileId: one.id }),
      await client({ walletProfileId: two.id }),
      await client(),
    ]
    const body = { walletAddress: newAddress(), blockchain: 'polygon', userId: 'customer-1042' }
    const made = await first.post<Wallet>('/v1/wallets/register', body)
    expect(made.status).toBe(201)
    expectRefusal(await second.post('/v1/wallets/register', body), 409, 'CONFLICT')
    const seen = await all.post<Wallet>('/v1/wallets/register', {
      ...body,
      userId: 'customer-2000',
      walletProfileId: two.id,
    })
    expect([seen.status, seen.body]).toEqual([200, made.body])

    const inDefault = await all.post<Wallet>('/v1/wallets/register', {
      walletAddress: newAddress(),
      blockchain: 'base',
    })
    const inTwo = await all.post<Wallet>('/v1/wallets/register', {
      walletAddress: newAddress(),
      blockchain: 'base',
      walletProfileId: two.id,
    })
    const profileOf = async ({ body: { walletId } }: HttpResponse<Wallet>) =>
      (await all.get<WalletDetail>(`/v1/wallets/${walletId}`)).body.walletProfileName
    expect([await profileOf(made), await profileOf(inDefault), await profileOf(inTwo)]).toEqual([
      'one',
      'default',
      'two',
    ])
    const foreign = { walletAddress: newAddress(), blockchain: 'base', walletProfileId: 999_999_999 }
    expectRefusal(await all.post('/v1/wallets/register', foreign), 404, 'NOT_FOUND')
    const seesOf = async (reader: HttpClient) => (await reader.get<WalletList>('/v1/wallets')).body.total
    const admin = await client({ isAdmin: true })
    expect([await seesOf(first), await seesOf(second), await seesOf(all), await seesOf(admin)]).toEqual([1, 1, 3, 3])
    expect((await owner.get('/api/core/members')).status).toBe(200)
  })
})
