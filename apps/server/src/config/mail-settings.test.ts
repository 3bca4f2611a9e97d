import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'

const LIVE = {
  SERVICE_ENV: 'live',
  DATABASE_URL: 'postgres://weir@127.0.0.1/weir',
  BASE_RPC_URL: 'https://base.example',
  JWT_SECRET: 'x'.repeat(32),
  API_KEY_PEPPER: 'y'.repeat(32),
  ENCRYPTION_KEY: '0a'.repeat(32),
}
const MAIL = { SMTP_URL: 'smtps://weir:p%40ss@mail.example', MAIL_FROM: 'Acme <no-reply@acme.example>' }
const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    return (error as { problems: readonly string[] }).problems
  }
}

test('a sandbox without a mail server keeps its email, and live without one sends none', () => {
  expect(readConfig({}).mail).toEqual({ smtp: undefined, accountUrl: undefined, emailVerification: 'optional' })
  expect(readConfig(LIVE).mail).toEqual({ smtp: undefined, accountUrl: undefined, emailVerification: 'off' })
})

test.each([
  ['smtps://mail.example', { port: 465, tls: 'implicit' }],
  ['smtp://mail.example', { port: 587, tls: 'required' }],
  ['smtp://mail.example:25?tls=optional', { port: 25, tls: 'optional' }],
  ['smtp://mail.example:25?tls=off', { port: 25, tls: 'off' }],
])('in live %s has TLS unless it says otherwise', (SMTP_URL, expected) => {
  const { mail } = readConfig({ ...LIVE, ...MAIL, SMTP_URL, PUBLIC_URL: 'https://weir.acme.example' })
  expect(mail.smtp).toMatchObject({ host: 'mail.example', ...expected })
  expect(mail.emailVerification).toBe('optional')
})

test('a sandbox uses STARTTLS if it is offered; user and password are decoded', () => {
  expect(readConfig({ ...MAIL, SMTP_URL: 'smtp://[::1]:2525' }).mail.smtp).toMatchObject({
    host: '::1',
    tls: 'optional',
  })
  expect(readConfig(MAIL).mail.smtp).toMatchObject({
    user: 'weir',
    password: 'p@ss',
    from: { name: 'Acme', address: 'no-reply@acme.example' },
  })
})

test('live with mail needs an address for links, and required verification needs mail', () => {
  expect(problemsOf({ ...LIVE, ...MAIL })).toEqual([expect.stringMatching(/^PUBLIC_URL or ACCOUNT_URL must be set/)])
  expect(problemsOf({ ...LIVE, ...MAIL, ACCOUNT_URL: 'https://app.acme.example/account' })).toEqual([])
  expect(problemsOf({ ...LIVE, EMAIL_VERIFICATION: 'required' })).toEqual([
    expect.stringMatching(/^EMAIL_VERIFICATION must not be required without SMTP_URL/),
  ])
  expect(problemsOf({ SMTP_URL: MAIL.SMTP_URL })).toEqual(['MAIL_FROM must be set when SMTP_URL is set'])
})

test.each([
  'http://mail.example',
  'mail.example',
  'smtp://',
  'smtp://a/b',
  'smtp://a?tls=no',
  'smtps://a?tls=off',
  'smtp://a?x=1',
])('SMTP_URL %s is refused, and its text is not repeated', (SMTP_URL) => {
  const [problem, ...others] = problemsOf({ ...MAIL, SMTP_URL: `${SMTP_URL}` })
  expect(others).toEqual([])
  expect(problem).toMatch(/^SMTP_URL must /)
})

test.each(['nobody', 'a@b', 'Acme <a@b.example> x', 'a@b.example\r\nBcc: c@d.example', '"Acme" <a@b.example>'])(
  'MAIL_FROM %j is refused',
  (MAIL_FROM) => {
    expect(problemsOf({ ...MAIL, MAIL_FROM })).toEqual([expect.stringMatching(/^MAIL_FROM must be an email address/)])
  },
)
