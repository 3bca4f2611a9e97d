import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { identityFixture, organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { logIn } from '../sessions/log-in.ts'
import { attemptOf } from './login-attempts.ts'

const parts = useFixture(identityFixture)

const minute = 60_000
const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'ok',
    (error: { code?: string }) => error.code,
  )
const attempt = (email: string, password: string, address = '192.0.2.1') =>
  codeOf(logIn(parts, { email, password, address }))
const wrong = (email: string, address?: string) => attempt(email, 'not the password', address)

test('ten failures in fifteen minutes lock an account for one address, until the first is old enough', async () => {
  const { user } = await organization(parts)
  for (let i = 0; i < 10; i += 1) {
    expect(await wrong(user.email)).toBe('UNAUTHORIZED')
    parts.clock.advance(minute)
  }
  const refused = logIn(parts, { email: user.email.toUpperCase(), password: PASSWORD, address: '192.0.2.1' })
  await expect(refused).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', details: { retryAfterSeconds: 300 } })
  expect(await attempt(user.email, PASSWORD, '192.0.2.2')).toBe('ok')
  parts.clock.advance(5 * minute)
  expect(await wrong(user.email)).toBe('UNAUTHORIZED')
  expect(await attempt(user.email, PASSWORD)).toBe('RATE_LIMIT_EXCEEDED')
  parts.clock.advance(15 * minute)
  expect(await attempt(user.email, PASSWORD)).toBe('ok')
})

test('an account that does not exist is locked in the same way', async () => {
  for (let i = 0; i < 10; i += 1) expect(await wrong('ghost@acme.example')).toBe('UNAUTHORIZED')
  expect(await wrong('ghost@acme.example')).toBe('RATE_LIMIT_EXCEEDED')
})

test('a correct password resets the count', async () => {
  const { user } = await organization(parts)
  for (let round = 0; round < 3; round += 1) {
    for (let i = 0; i < 9; i += 1) expect(await wrong(user.email)).toBe('UNAUTHORIZED')
    expect(await attempt(user.email, PASSWORD)).toBe('ok')
  }
})

test('thirty concurrent guesses get no further than thirty in a row', async () => {
  const { user } = await organization(parts)
  const codes = await Promise.all(Array.from({ length: 30 }, () => wrong(user.email)))
  expect(codes.filter((code) => code === 'UNAUTHORIZED')).toHaveLength(10)
  expect(codes.filter((code) => code === 'RATE_LIMIT_EXCEEDED')).toHaveLength(20)
})

test('new attempts sweep old ones', async () => {
  const { user } = await organization(parts)
  const rowCount = async () =>
    (await sql<{ count: number }>`select count(*) as count from login_attempts`.execute(parts.db)).rows[0]!.count
  for (let i = 0; i < 20; i += 1) await wrong(`guess${i}@acme.example`)
  parts.clock.advance(16 * minute)
  const before = await rowCount()
  for (let i = 0; i < 5; i += 1) await wrong(user.email)
  expect(before).toBeGreaterThanOrEqual(20)
  expect(await rowCount()).toBe(1)
})

test('guesses from many addresses share one count, and then one is checked after each growing pause', async () => {
  const { user } = await organization(parts)
  for (let i = 0; i < 50; i += 1) expect(await wrong(user.email, `198.51.100.${i}`)).toBe('UNAUTHORIZED')
  for (const pause of [15, 30, 60, 120, 240, 300, 300]) {
    const refused = logIn(parts, { email: user.email, password: PASSWORD, address: '203.0.113.1' })
    const details = { retryAfterSeconds: pause }
    await expect(refused).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', details })
    parts.clock.advance(pause * 1_000)
    expect(await wrong(user.email, `203.0.113.${pause}`)).toBe('UNAUTHORIZED')
  }
  parts.clock.advance(300_000)
  expect(await attempt(user.email, PASSWORD, '203.0.113.1')).toBe('ok')
  parts.clock.advance(24 * 60 * minute)
  expect(await wrong(user.email, '203.0.113.2')).toBe('UNAUTHORIZED')
  expect(await wrong(user.email, '203.0.113.3')).toBe('UNAUTHORIZED')
})

test('an account that does not exist is refused after the same guesses, for the same time', async () => {
  const { user } = await organization(parts)
  for (const email of [user.email, 'nobody@acme.example']) {
    for (let i = 0; i < 50; i += 1) expect(await wrong(email, `198.51.100.${i}`)).toBe('UNAUTHORIZED')
  }
  const refusal = (email: string) =>
    logIn(parts, { email, password: PASSWORD, address: '203.0.113.1' }).catch(({ code, message, details }) => ({
      code,
      message,
      details,
    }))
  expect(await refusal(user.email)).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
  expect(await refusal('nobody@acme.example')).toEqual(await refusal(user.email))
})

test('guesses from elsewhere do not lock out an address that the account has logged in from', async () => {
  const { user } = await organization(parts)
  expect(await attempt(user.email, PASSWORD, '192.0.2.77')).toBe('ok')
  for (let i = 0; i < 50; i += 1) expect(await wrong(user.email, `198.51.100.${i}`)).toBe('UNAUTHORIZED')
  expect(await wrong(user.email, '203.0.113.1')).toBe('RATE_LIMIT_EXCEEDED')
  for (let i = 0; i < 9; i += 1) expect(await wrong(user.email, '192.0.2.77')).toBe('UNAUTHORIZED')
  expect(await attempt(user.email, PASSWORD, '192.0.2.77')).toBe('ok')
  for (let i = 0; i < 10; i += 1) expect(await wrong(user.email, '192.0.2.77')).toBe('UNAUTHORIZED')
  expect(await wrong(user.email, '192.0.2.77')).toBe('RATE_LIMIT_EXCEEDED')
})

test('an address that is refused adds nothing to the count of the account', async () => {
  const { user } = await organization(parts)
  for (let i = 0; i < 100; i += 1) await wrong(user.email, '198.51.100.1')
  expect(await wrong(user.email, '198.51.100.2')).toBe('UNAUTHORIZED')
})

test('a correct password from a new address does not count, and does not clear the guesses of others', async () => {
  const { user } = await organization(parts)
  for (let i = 0; i < 49; i += 1) await wrong(user.email, `198.51.100.${i}`)
  expect(await attempt(user.email, PASSWORD, '203.0.113.1')).toBe('ok')
  expect(await wrong(user.email, '198.51.100.99')).toBe('UNAUTHORIZED')
  expect(await wrong(user.email, '198.51.100.98')).toBe('RATE_LIMIT_EXCEEDED')
})

test('sixty concurrent guesses from sixty addresses get no further than fifty', async () => {
  const { user } = await organization(parts)
  const codes = await Promise.all(Array.from({ length: 60 }, (_, i) => wrong(user.email, `198.51.100.${i}`)))
  expect(codes.filter((code) => code === 'UNAUTHORIZED')).toHaveLength(50)
})

test('no email has a digest of another kind of guess', () => {
  const [user, address] = [{ organizationId: 7, userId: 8 }, '192.0.2.1']
  const digestsOf = ({ perAddress, perAccount, origin }: ReturnType<typeof attemptOf>) =>
    [perAddress, perAccount, origin].map((digest) => digest.toString('hex'))
  const kinds = ['second_factor', 'new_app'] as const
  const others = kinds.map((kind) => digestsOf(attemptOf(parts, { kind, user, address })))
  const emails = ['second factor', 'new app'].flatMap((label) =>
    [`${label} of `, `${label}\n`, `${label} account\n`, `${label} origin\n`, ''].map((text) => `${text}7/8`),
  )
  const ofEmails = emails.flatMap((email) => digestsOf(attemptOf(parts, { kind: 'password', email, address })))
  expect(new Set(others.flat()).size).toBe(6)
  expect(others.flat().filter((digest) => ofEmails.includes(digest))).toEqual([])
})
