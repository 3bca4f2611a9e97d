import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeAt } from '../../testing/identity/enroll-factors.ts'
import {
  type Ceremony,
  type SoftwareAuthenticator,
  softwareAuthenticator,
} from '../../testing/identity/software-authenticator.ts'
import type { Data, Session } from '../clients/api-types.ts'
import { ANONYMOUS, type HttpClient, type HttpResponse, withToken } from '../clients/client.ts'
import { expectRefusal } from '../clients/expect-refusal.ts'
import { type RegisteredOrganization, registerOrganization } from '../clients/register-organization.ts'
import { type System, startSystem } from '../service/start-system.ts'

/** Attacks on second factors, against a running sandbox. The attacker knows the victim's password. */

interface Challenge {
  readonly secondFactorRequired: true
  readonly challengeToken: string
}
interface Victim extends RegisteredOrganization {
  readonly usedCode: string
  readonly recoveryCodes: readonly string[]
  readonly authenticator: SoftwareAuthenticator
  /** The password is right: a login that waits for a factor. */
  challenge(): Promise<string>
  /** What an attack must not change. */
  state(): Promise<unknown>
}

let system: System
let nobody: HttpClient
let attacker: Victim
beforeAll(async () => {
  system = await startSystem({ WEBAUTHN_RP_ID: 'localhost', WEBAUTHN_ORIGINS: 'http://localhost:3000' })
  nobody = system.as(ANONYMOUS)
  attacker = await victim()
})
afterAll(() => system?.stop())

const AUTH = '/api/core/auth'

async function victim(): Promise<Victim> {
  const party = await registerOrganization(system)
  const { owner, email, password } = party
  const current = { currentPassword: password }
  const totp = await owner.post<Data<{ secret: string }>>(`${AUTH}/factors/totp`, current)
  const usedCode = codeAt(totp.body.data.secret, new Date())
  const confirmed = await owner.post<Data<{ recoveryCodes: string[] }>>(`${AUTH}/factors/totp/confirm`, {
    code: usedCode,
  })
  expect(confirmed.status, confirmed.text).toBe(200)
  const authenticator = softwareAuthenticator()
  const options = await owner.post<Data<{ challenge: string }>>(`${AUTH}/factors/passkeys/options`, current)
  const passkey = body(authenticator.create({ challenge: options.body.data.challenge }))
  const added = await owner.post(`${AUTH}/factors/passkeys`, { name: 'Laptop', passkey })
  expect(added.status, added.text).toBe(201)
  return {
    ...party,
    usedCode,
    recoveryCodes: confirmed.body.data.recoveryCodes,
    authenticator,
    challenge: async () =>
      (await nobody.post<Data<Challenge>>(`${AUTH}/login`, { email, password })).body.data.challengeToken,
    state: async () => [
      (await owner.get(`${AUTH}/factors`)).body,
      (await owner.get<Data<{ id: number }[]>>(`${AUTH}/sessions`)).body.data.map(({ id }) => id),
      (await owner.get('/api/core/organization/security')).body,
      (await owner.get<Data<{ id: number; role: string }[]>>('/api/core/members')).body.data.map(({ id, role }) => [
        id,
        role,
      ]),
    ],
  }
}

/** The fields of a credential that a browser sends. */
function body({ id, rawId, response }: { id: string; rawId: string; response: object }) {
  return { id, rawId, type: 'public-key', response }
}

type Attempt = (target: Victim) => Promise<HttpResponse<unknown>>
const complete = (challengeToken: string, factor: object) =>
  nobody.post<Data<Session>>(`${AUTH}/second-factor`, { challengeToken, ...factor })
const withPasskey =
  (wrong: Partial<Ceremony>): Attempt =>
  async (target) => {
    const challenge = await target.challenge()
    return await complete(challenge, { passkey: body(target.authenticator.get({ challenge, ...wrong })) })
  }
const signInOptions = async () =>
  (await nobody.post<Data<{ challenge: string }>>(`${AUTH}/passkey/options`)).body.data.challenge

const ATTACKS: readonly [what: string, status: number, reason: string | undefined, attempt: Attempt][] = [
  [
    'an app’s code that was used before',
    401,
    'factor_invalid',
    async (target) => complete(await target.challenge(), { totp: target.usedCode }),
  ],
  ['a guessed code', 401, 'factor_invalid', async (target) => complete(await target.challenge(), { totp: '000000' })],
  [
    'a guessed recovery code',
    401,
    'factor_invalid',
    async (target) => complete(await target.challenge(), { recoveryCode: 'aaaa-aaaa-aaaa-aaaa' }),
  ],
  [
    'the attacker’s own recovery code',
    401,
    'factor_invalid',
    async (target) => complete(await target.challenge(), { recoveryCode: attacker.recoveryCodes[0] }),
  ],
  [
    'the attacker’s own passkey',
    401,
    'factor_invalid',
    async (target) => {
      const challenge = await target.challenge()
      return await complete(challenge, { passkey: body(attacker.authenticator.get({ challenge })) })
    },
  ],
  [
    'a passkey that signed for a page of another origin',
    401,
    'factor_invalid',
    withPasskey({ origin: 'https://evil.example' }),
  ],
  ['a passkey that signed for another domain', 401, 'factor_invalid', withPasskey({ rpId: 'evil.example' })],
  ['a passkey that did not verify its user', 401, 'factor_invalid', withPasskey({ isVerified: false })],
  ['a passkey whose user was not present', 401, 'factor_invalid', withPasskey({ isPresent: false })],
  ['a passkey’s signature of a creation', 401, 'factor_invalid', withPasskey({ type: 'webauthn.create' })],
  ['a passkey’s signature of another challenge', 401, 'factor_invalid', withPasskey({ challenge: 'AAAAAAAAAAAAAAAA' })],
  ['an invented challenge', 401, 'challenge_expired', async () => complete('A'.repeat(43), { totp: '000000' })],
  [
    'the challenge of a sign-in by passkey',
    401,
    'challenge_expired',
    async (target) => {
      const challenge = await signInOptions()
      return await complete(challenge, { passkey: body(target.authenticator.get({ challenge })) })
    },
  ],
  [
    'a challenge of a login for a sign-in by passkey',
    401,
    undefined,
    async (target) => {
      const challenge = await target.challenge()
      const passkey = body(target.authenticator.get({ challenge }))
      return await nobody.post(`${AUTH}/passkey`, { passkey })
    },
  ],
  [
    'an unknown passkey alone',
    401,
    undefined,
    async () => {
      const challenge = await signInOptions()
      return await nobody.post(`${AUTH}/passkey`, { passkey: body(softwareAuthenticator().get({ challenge })) })
    },
  ],
  [
    'a challenge in place of an access token',
    401,
    undefined,
    async (target) => system.as(withToken(await target.challenge())).get(`${AUTH}/me`),
  ],
  [
    'two factors at once',
    400,
    undefined,
    async (target) => complete(await target.challenge(), { totp: '000000', recoveryCode: target.recoveryCodes[1] }),
  ],
]

test.each(ATTACKS)(
  'after a stolen password, %s is refused with %i and opens no session',
  async (_what, status, reason, attempt) => {
    const target = await victim()
    const before = await target.state()
    const code = status === 400 ? 'VALIDATION_ERROR' : 'UNAUTHORIZED'
    const details = expectRefusal(await attempt(target), status, code)
    if (reason !== undefined) expect(details).toMatchObject({ reason })
    expect(await target.state()).toEqual(before)
  },
)

test('a stolen password alone opens no session', async () => {
  const target = await victim()
  const before = await target.state()
  const { status, text } = await nobody.post(`${AUTH}/login`, { email: target.email, password: target.password })
  expect(status).toBe(200)
  expect(text).not.toContain('accessToken')
  expect(await target.state()).toEqual(before)
})

test('a recovery code, a login’s challenge and a copied passkey’s counter each work once', async () => {
  const target = await victim()
  const [recoveryCode] = target.recoveryCodes
  const challenge = await target.challenge()
  expect((await complete(challenge, { recoveryCode })).status).toBe(200)
  const copy = target.authenticator.clone()
  const another = await target.challenge()
  expect((await complete(another, { passkey: body(target.authenticator.get({ challenge: another })) })).status).toBe(
    200,
  )
  const before = await target.state()
  expectRefusal(await complete(challenge, { recoveryCode: target.recoveryCodes[1] }), 401, 'UNAUTHORIZED')
  expectRefusal(await complete(await target.challenge(), { recoveryCode }), 401, 'UNAUTHORIZED')
  const third = await target.challenge()
  expectRefusal(await complete(third, { passkey: body(copy.get({ challenge: third })) }), 401, 'UNAUTHORIZED')
  expect(await target.state()).toEqual(before)
})

test('one code, sent with ten challenges at once: one session', async () => {
  const target = await victim()
  const [recoveryCode] = target.recoveryCodes
  const challenges: string[] = []
  for (let turn = 0; turn < 5; turn += 1) challenges.push(await target.challenge())
  const sent = challenges.flatMap((token) => [complete(token, { recoveryCode }), complete(token, { recoveryCode })])
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.every((status) => [200, 401, 429].includes(status))).toBe(true)
})

test('a recovery code that its owner replaced after signing in with a passkey is refused', async () => {
  const target = await victim()
  const signIn = await signInOptions()
  const signedIn = await nobody.post<Data<Session>>(`${AUTH}/passkey`, {
    passkey: body(target.authenticator.get({ challenge: signIn })),
  })
  expect(signedIn.status, signedIn.text).toBe(200)
  const again = system.as(withToken(signedIn.body.data.accessToken))
  const { challenge } = (await again.post<Data<{ challenge: string }>>(`${AUTH}/step-up/options`)).body.data
  const steppedUp = await again.post(`${AUTH}/step-up`, { passkey: body(target.authenticator.get({ challenge })) })
  expect(steppedUp.status, steppedUp.text).toBe(200)
  const renewed = await again.post<Data<{ recoveryCodes: string[] }>>(`${AUTH}/factors/recovery-codes`)
  expect(renewed.body.data.recoveryCodes).not.toEqual(target.recoveryCodes)
  const [recoveryCode] = target.recoveryCodes
  expectRefusal(await complete(await target.challenge(), { recoveryCode }), 401, 'UNAUTHORIZED')
  const factors = await again.get<Data<{ passkeys: { id: number }[] }>>(`${AUTH}/factors`)
  expect((await again.delete(`${AUTH}/factors/totp`)).status).toBe(200)
  expect((await again.delete(`${AUTH}/factors/passkeys/${factors.body.data.passkeys[0]!.id}`)).status).toBe(200)
  expect((await nobody.post(`${AUTH}/login`, { email: target.email, password: target.password })).body).toMatchObject({
    data: { tokenType: 'Bearer' },
  })
})

test('a challenge of a login completed by the right factors of another user: 401, and it opens no session of theirs', async () => {
  const target = await victim()
  const other = await victim()
  const before = [await target.state(), await other.state()]
  const [recoveryCode] = other.recoveryCodes
  expectRefusal(await complete(await target.challenge(), { recoveryCode }), 401, 'UNAUTHORIZED')
  const stolen = await target.challenge()
  const passkey = body(other.authenticator.get({ challenge: stolen }))
  expectRefusal(await complete(stolen, { passkey }), 401, 'UNAUTHORIZED')
  expectRefusal(await other.owner.post(`${AUTH}/step-up`, { passkey }), 403, 'FORBIDDEN')
  expect([await target.state(), await other.state()]).toEqual(before)
})

test('the owner of another organization, and an owner themselves, cannot remove an owner’s factors', async () => {
  const target = await victim()
  const before = await target.state()
  const path = `/api/core/members/${target.session.user.id}/factors`
  expectRefusal(await attacker.owner.delete(path), 404, 'NOT_FOUND')
  expectRefusal(await target.owner.delete(path), 403, 'FORBIDDEN')
  expect(await target.state()).toEqual(before)
})

test('an admin can neither remove an owner’s factors nor stop requiring factors', async () => {
  const target = await victim()
  const login = { email: `admin-${randomUUID()}@weir.example`, password: 'a long enough password' }
  expect((await target.owner.post('/api/core/members', { ...login, role: 'admin' })).status).toBe(201)
  const { body: opened } = await nobody.post<Data<Session>>(`${AUTH}/login`, login)
  const admin = system.as(withToken(opened.data.accessToken))
  expect(
    (await target.owner.request('PUT', '/api/core/organization/security', { body: { secondFactorRequired: true } }))
      .status,
  ).toBe(200)
  const before = await target.state()
  const restricted = await admin.get('/api/core/members')
  expect(expectRefusal(restricted, 403, 'FORBIDDEN')).toMatchObject({ reason: 'enrollment_required' })
  const lifted = await admin.request('PUT', '/api/core/organization/security', {
    body: { secondFactorRequired: false },
  })
  expectRefusal(lifted, 403, 'FORBIDDEN')
  expectRefusal(await admin.delete(`/api/core/members/${target.session.user.id}/factors`), 403, 'FORBIDDEN')
  expect(await target.state()).toEqual(before)
})
