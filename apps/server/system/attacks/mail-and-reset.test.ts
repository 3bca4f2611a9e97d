import { randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../testing/index.ts'
import type { Data, Session } from '../clients/api-types.ts'
import { ANONYMOUS, type HttpClient, type HttpResponse, withKey, withToken } from '../clients/client.ts'
import { expectRefusal } from '../clients/expect-refusal.ts'
import { type RegisteredOrganization, registerOrganization } from '../clients/register-organization.ts'
import { sharedSystem } from '../service/shared-system.ts'
import type { System } from '../service/start-system.ts'

/** Attacks on password resets, addresses and invitations, against a running sandbox and its mailbox. */

interface Mail {
  readonly id: number
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}
interface Invited {
  readonly id: number
}

let system: System
let nobody: HttpClient
let party: RegisteredOrganization
beforeAll(async () => {
  system = await sharedSystem()
  nobody = system.as(ANONYMOUS)
  party = await proved()
})
afterAll(() => system?.stop())

const PASSWORD = 'a long enough password'
const FRESH = 'a password nobody guessed'
const newEmail = () => `person-${randomUUID()}@weir.example`
const auth = <T>(path: string, body: unknown) => nobody.post<Data<T>>(`/api/core/auth/${path}`, body)
const login = (email: string, password: string) => auth<Session>('login', { email, password })
const mailsTo = async (to: string) =>
  (await nobody.get<Data<Mail[]>>(`/sandbox/mailbox?to=${encodeURIComponent(to)}&limit=100`)).body.data
const tokenIn = ({ text }: Mail) => /#\w+=(\w+)/.exec(text)?.[1] ?? ''
/** The newest mail with this subject to an address. */
async function mailTo(to: string, subject: RegExp): Promise<Mail> {
  const { id } = await until(async () => (await mailsTo(to)).find((mail) => subject.test(mail.subject)))
  return (await nobody.get<Data<Mail>>(`/sandbox/mailbox/${id}`)).body.data
}
async function resetToken(email: string): Promise<string> {
  const before = (await mailsTo(email)).length
  expect((await auth('password-reset', { email })).status).toBe(202)
  await until(async () => (await mailsTo(email)).length > before)
  return tokenIn(await mailTo(email, /Reset/))
}
/** An organization whose owner proved the address. */
async function proved(): Promise<RegisteredOrganization> {
  const made = await registerOrganization(system)
  const token = tokenIn(await mailTo(made.email, /Confirm your email/))
  expect((await auth('email-verification/confirm', { token, password: made.password })).status).toBe(200)
  return made
}
async function invite(owner: HttpClient, role = 'viewer', email = newEmail()) {
  const made = await owner.post<Data<Invited>>('/api/core/invitations', { email, role })
  expect(made.status).toBe(201)
  return { email, id: made.body.data.id, token: tokenIn(await mailTo(email, /invited/)) }
}
const accept = (token: string, more: object = {}) =>
  auth<Session>('invitations/accept', { token, password: FRESH, ...more })
const membersOf = async ({ owner }: RegisteredOrganization) =>
  (await owner.get<Data<{ id: number; email: string; role: string }[]>>('/api/core/members')).body.data
const plain = ({ status, body }: HttpResponse<unknown>) => ({ status, ...(body as object), requestId: '' })

describe('who has an account', () => {
  test.each(['person@nowhere.example', 'no address at all', "' or 1=1 --@x.example"])(
    'a reset for %j gets the response of a known address, and no email',
    async (email) => {
      const known = await auth('password-reset', { email: party.email })
      expect(plain(await auth('password-reset', { email }))).toEqual(plain(known))
      expect(await mailsTo(email)).toEqual([])
    },
  )

  test('an invitation of a stranger’s address shows nothing about it', async () => {
    const other = await registerOrganization(system)
    const [taken, free] = [
      await party.owner.post<Data<object>>('/api/core/invitations', { email: other.email, role: 'viewer' }),
      await party.owner.post<Data<object>>('/api/core/invitations', { email: newEmail(), role: 'viewer' }),
    ]
    expect([taken.status, Object.keys(taken.body.data)]).toEqual([free.status, Object.keys(free.body.data)])
  })

  test('a change to somebody else’s address shows nothing about it', async () => {
    const other = await registerOrganization(system)
    const change = (email: string) =>
      party.owner.post('/api/core/auth/email', { email, currentPassword: party.password })
    expect(plain(await change(other.email))).toEqual(plain(await change(newEmail())))
  })
})

describe('reset tokens', () => {
  test('a used token sets no second password', async () => {
    const victim = await registerOrganization(system)
    const token = await resetToken(victim.email)
    expect((await auth('password-reset/confirm', { token, newPassword: FRESH })).status).toBe(200)
    expectRefusal(await auth('password-reset/confirm', { token, newPassword: PASSWORD }), 403, 'FORBIDDEN')
    expect((await login(victim.email, FRESH)).status).toBe(200)
  })

  test('count once when one token is used ten times concurrently', async () => {
    const victim = await registerOrganization(system)
    const token = await resetToken(victim.email)
    const tries = Array.from({ length: 10 }, (_, i) =>
      auth('password-reset/confirm', { token, newPassword: `${FRESH} ${i}` }),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    const winner = statuses.indexOf(200)
    expect((await login(victim.email, `${FRESH} ${winner}`)).status).toBe(200)
  })

  test('a token resets only the account that its email was sent for', async () => {
    const [attacker, victim] = [await registerOrganization(system), await registerOrganization(system)]
    const token = await resetToken(attacker.email)
    const body = { token, newPassword: FRESH, email: victim.email, userId: victim.session.user.id }
    const answer = await auth<{ user: { id: number } }>('password-reset/confirm', body)
    expect(answer.body.data.user.id).toBe(attacker.session.user.id)
    expect((await login(victim.email, victim.password)).status).toBe(200)
    expect((await login(victim.email, FRESH)).status).toBe(401)
  })

  test.each(['password-reset/confirm', 'register/confirm', 'invitations/accept'])(
    'a verification token is refused at %s',
    async (path) => {
      const { email } = await registerOrganization(system)
      const token = tokenIn(await mailTo(email, /Confirm your email/))
      expectRefusal(await auth(path, { token, newPassword: FRESH, password: FRESH }), 403, 'FORBIDDEN')
      expect((await login(email, PASSWORD)).status).toBe(200)
    },
  )

  test('a stolen session ends with the reset, and so does the attacker’s change of address', async () => {
    const victim = await registerOrganization(system)
    const mine = newEmail()
    const stolen = victim.owner
    const change = { email: mine, currentPassword: victim.password }
    expect((await stolen.post('/api/core/auth/email', change)).status).toBe(202)
    const pending = tokenIn(await mailTo(mine, /Confirm your email/))
    const token = await resetToken(victim.email)
    await auth('password-reset/confirm', { token, newPassword: FRESH })
    expectRefusal(await stolen.get('/api/core/auth/me'), 401, 'UNAUTHORIZED')
    expectRefusal(await auth('email-verification/confirm', { token: pending, password: FRESH }), 403, 'FORBIDDEN')
    expect((await login(victim.email, FRESH)).status).toBe(200)
  })
})

describe('what an email contains', () => {
  test.each([
    'a@b.example\r\nBcc: c@d.example',
    'a@b.example\nSubject: x',
    'a@b.example,c@d.example',
    '"a b"@c.example',
    'a\u2028@b.example',
    'a\u200bb@c.example',
    '\u202ea@b.example',
  ])('the address %j is refused in an invitation and in a change of address', async (email) => {
    expectRefusal(await party.owner.post('/api/core/invitations', { email, role: 'viewer' }), 400, 'VALIDATION_ERROR')
    const change = { email, currentPassword: party.password }
    expectRefusal(await party.owner.post('/api/core/auth/email', change), 400, 'VALIDATION_ERROR')
    expect(await mailsTo('c@d.example')).toEqual([])
  })

  test('an organization’s name brings neither markup nor links nor lines into an email', async () => {
    const email = newEmail()
    const organizationName =
      '<a href="http://evil.example">Click</a>\u2028\u202eBcc: x@y.example https://evil.example/login'
    await auth('register', { email, password: PASSWORD, organizationName })
    const mail = await mailTo(email, /Confirm your email/)
    expect(mail.html).toContain('&lt;a href=')
    expect([...mail.html.matchAll(/<a /g)]).toHaveLength(1)
    for (const body of [mail.text, mail.html]) expect(body).not.toMatch(/evil\.example|[\u2028\u202e]/)
  })

  test('a forged Host header does not change where links lead', async () => {
    const { email } = await registerOrganization(system)
    const { port } = new URL(system.process.url)
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'content-type': 'application/json' }
    const status = await new Promise((resolve, reject) => {
      const sent = httpRequest({
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/api/core/auth/password-reset',
        headers,
      })
      sent.on('response', (answer) => resolve(answer.resume().statusCode)).on('error', reject)
      sent.end(JSON.stringify({ email }))
    })
    expect(status).toBe(202)
    const mail = await mailTo(email, /Reset/)
    expect(mail.text).toContain(`${system.process.url}/account#reset=`)
    expect(mail.text).not.toContain('evil.example')
  })

  test('a flooded address gets five emails in an hour', async () => {
    const { email } = await registerOrganization(system)
    for (let i = 0; i < 25; i += 1) expect((await auth('password-reset', { email })).status).toBe(202)
    const resets = async () => (await mailsTo(email)).filter(({ subject }) => /Reset/.test(subject))
    // Emails of one batch are sent at once, in any order.
    await until(async () => (await resets()).length >= 5)
    const last = newEmail()
    await auth('register', { email: last, password: PASSWORD, organizationName: 'Last' })
    await mailTo(last, /Confirm/)
    expect(await resets()).toHaveLength(5)
  })
})

describe('invitations', () => {
  async function staff(role: 'admin' | 'viewer' | 'approver') {
    const { token, email } = await invite(party.owner, role)
    const joined = await accept(token)
    expect(joined.status).toBe(201)
    return { email, id: joined.body.data.user.id, client: system.as(withToken(joined.body.data.accessToken)) }
  }

  test('nobody invites above their own role', async () => {
    const admin = await staff('admin')
    const before = await membersOf(party)
    expectRefusal(
      await admin.client.post('/api/core/invitations', { email: newEmail(), role: 'owner' }),
      403,
      'FORBIDDEN',
    )
    for (const role of ['viewer', 'approver'] as const) {
      const { client } = await staff(role)
      expectRefusal(await client.post('/api/core/invitations', { email: newEmail(), role }), 403, 'FORBIDDEN')
    }
    expect(await membersOf(party)).toHaveLength(before.length + 2)
  })

  test('the invited role cannot be raised at the acceptance', async () => {
    const { token } = await invite(party.owner, 'viewer')
    const joined = await accept(token, { role: 'owner', organizationId: 1, email: newEmail() })
    expect(joined.body.data.user.role).toBe('viewer')
  })

  test('an invitation is useless after its revocation, a second time, or once its inviter was demoted or removed', async () => {
    const revoked = await invite(party.owner)
    await party.owner.delete(`/api/core/invitations/${revoked.id}`)
    const used = await invite(party.owner)
    expect((await accept(used.token)).status).toBe(201)
    const admin = await staff('admin')
    const orphan = await invite(admin.client)
    await party.owner.patch(`/api/core/members/${admin.id}`, { role: 'viewer' })
    const before = await membersOf(party)
    for (const { token } of [revoked, used, orphan]) expectRefusal(await accept(token), 403, 'FORBIDDEN')
    await party.owner.delete(`/api/core/members/${admin.id}`)
    expectRefusal(await accept(orphan.token), 403, 'FORBIDDEN')
    expect(await membersOf(party)).toHaveLength(before.length - 1)
  })

  test('an invitation of an address with a proved account elsewhere moves nobody', async () => {
    const other = await proved()
    const { token } = await invite(party.owner, 'viewer', other.email)
    for (const takeAddress of [false, true]) expectRefusal(await accept(token, { takeAddress }), 409, 'CONFLICT')
    expect((await login(other.email, other.password)).status).toBe(200)
  })

  test('a stranger who registered somebody’s address does not keep them out', async () => {
    const squatter = await registerOrganization(system)
    const { token } = await invite(party.owner, 'viewer', squatter.email)
    expectRefusal(await accept(token), 409, 'CONFLICT')
    expect((await accept(token, { takeAddress: true })).status).toBe(201)
    expect((await login(squatter.email, FRESH)).body.data.organization.id).toBe(party.session.organization.id)
    expect((await squatter.owner.get('/api/core/auth/me')).status).toBe(200)
  })

  test('an owner whose address is not proved sends no invitations', async () => {
    const { owner } = await registerOrganization(system)
    const email = newEmail()
    expectRefusal(await owner.post('/api/core/invitations', { email, role: 'viewer' }), 403, 'FORBIDDEN')
    expect(await mailsTo(email)).toEqual([])
  })

  test('another tenant neither lists nor revokes an invitation', async () => {
    const { id, token } = await invite(party.owner)
    const other = await proved()
    expect((await other.owner.get<Data<unknown[]>>('/api/core/invitations')).body.data).toEqual([])
    expectRefusal(await other.owner.delete(`/api/core/invitations/${id}`), 404, 'NOT_FOUND')
    expect((await accept(token)).status).toBe(201)
  })
})

describe('the mailbox', () => {
  test.each([
    ['x-forwarded-for', '203.0.113.7'],
    ['forwarded', 'for=203.0.113.7'],
    ['host', 'weir.example'],
  ])('is closed to a request with %s: %s', async (name, value) => {
    const { port } = new URL(system.process.url)
    const status = await new Promise((resolve, reject) => {
      const sent = httpRequest({ port, host: '127.0.0.1', path: '/sandbox/mailbox', headers: { [name]: value } })
      sent.on('response', (answer) => resolve(answer.resume().statusCode)).on('error', reject)
      sent.end()
    })
    expect(status).toBe(403)
  })

  test('shows no web page of another origin anything', async () => {
    const answer = await fetch(`${system.process.url}/sandbox/mailbox`, { headers: { origin: 'https://evil.example' } })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    await answer.text()
  })

  test('is not on the surfaces that keys and sessions reach', async () => {
    for (const client of [party.owner, system.organization, system.as(withKey('nothing'))]) {
      expect((await client.get('/api/sandbox/mailbox')).status).toBe(404)
      expect([401, 404]).toContain((await client.get('/v1/sandbox/mailbox')).status)
    }
  })
})

test('neither tokens nor addresses are in the log', async () => {
  const victim = await registerOrganization(system)
  const token = await resetToken(victim.email)
  await auth('password-reset/confirm', { token, newPassword: FRESH })
  expect(system.process.errors()).not.toContain(token)
  expect(system.process.errors()).not.toContain(victim.email)
})

// Last: it closes the network of this file for fifteen minutes.
test('guessed tokens end with 429, for valid tokens of the same network too', async () => {
  const { email } = await registerOrganization(system)
  const valid = tokenIn(await mailTo(email, /Confirm your email/))
  const guess = () => auth('password-reset/confirm', { token: `reset_${randomUUID()}`, newPassword: FRESH })
  const statuses: number[] = []
  for (let i = 0; i < 11; i += 1) statuses.push((await guess()).status)
  expect(statuses.at(-1)).toBe(429)
  const body = { token: valid, password: PASSWORD }
  expectRefusal(await auth('email-verification/confirm', body), 429, 'RATE_LIMIT_EXCEEDED')
})
