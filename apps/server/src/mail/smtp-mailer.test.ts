import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { TEST_CERTIFICATE } from '../../testing/stand-ins/test-certificate.ts'
import { startSmtpServer, type TestSmtpServer } from '../../testing/stand-ins/test-smtp-server.ts'
import { createSmtpMailer, type SmtpServer } from './smtp-mailer.ts'

let server: TestSmtpServer | undefined
let bare: Server | undefined
afterEach(async () => {
  await server?.close()
  bare?.close()
  server = undefined
  bare = undefined
})

const FROM = { name: 'Acme, Treasury', address: 'no-reply@acme.example' }
const MAIL = {
  id: '7.abc',
  to: 'ada@example.com',
  subject: 'Reset your password',
  text: 'Hello “Acme”\n',
  html: '<p>Hello</p>',
}
const mailer = (port: number, more: Partial<SmtpServer> = {}) =>
  createSmtpMailer(
    { host: '127.0.0.1', port, user: undefined, password: undefined, tls: 'off', ca: TEST_CERTIFICATE.cert, ...more },
    FROM,
  )
const signal = new AbortController().signal
const rejection = (responseCode: number) => Object.assign(new Error('no'), { responseCode })

test('an email arrives with its headers, both bodies, and one recipient', async () => {
  server = await startSmtpServer()
  expect(await mailer(server.port).send(MAIL, signal)).toEqual({ outcome: 'sent' })
  const [received] = server.received
  expect(received).toMatchObject({ from: FROM.address, to: [MAIL.to], isEncrypted: false })
  const raw = received!.raw
  expect(raw).toContain('From: "Acme, Treasury" <no-reply@acme.example>\r\n')
  expect(raw).toContain('To: ada@example.com\r\n')
  expect(raw).toContain('Subject: Reset your password\r\n')
  expect(raw).toContain('Message-ID: <7.abc@acme.example>\r\n')
  expect(raw).toContain('Auto-Submitted: auto-generated\r\n')
  expect(raw).toMatch(/text\/plain[\s\S]*text\/html/)
})

test.each(['required', 'optional'] as const)('STARTTLS encrypts where it is %s and offered', async (tls) => {
  server = await startSmtpServer()
  await mailer(server.port, { tls }).send(MAIL, signal)
  expect(server.received).toMatchObject([{ isEncrypted: true }])
})

test('TLS from the start encrypts', async () => {
  server = await startSmtpServer({ secure: true })
  await mailer(server.port, { tls: 'implicit' }).send(MAIL, signal)
  expect(server.received).toMatchObject([{ isEncrypted: true }])
})

test('where STARTTLS is required and not offered, nothing is sent', async () => {
  server = await startSmtpServer({ disabledCommands: ['STARTTLS'] })
  await expect(mailer(server.port, { tls: 'required' }).send(MAIL, signal)).rejects.toThrow()
  await mailer(server.port, { tls: 'optional' }).send(MAIL, signal)
  expect(server.received).toMatchObject([{ isEncrypted: false }])
})

test.each(['required', 'optional', 'implicit'] as const)(
  'an untrusted certificate stops an email with TLS %s',
  async (tls) => {
    server = await startSmtpServer({ secure: tls === 'implicit' })
    const untrusting = createSmtpMailer(
      { host: '127.0.0.1', port: server.port, user: undefined, password: undefined, tls },
      FROM,
    )
    await expect(untrusting.send(MAIL, signal)).rejects.toThrow()
    expect(server.received).toEqual([])
  },
)

test('a login is sent, and a refused one may succeed later', async () => {
  server = await startSmtpServer({
    authOptional: false,
    onAuth: ({ username, password }, _session, done) =>
      username === 'weir' && password === 'p@ss word' ? done(null, { user: 'weir' }) : done(new Error('no')),
  })
  const login = { tls: 'required', user: 'weir' } as const
  await expect(mailer(server.port, { ...login, password: 'wrong' }).send(MAIL, signal)).rejects.toMatchObject({
    code: 'EAUTH',
  })
  expect(await mailer(server.port, { ...login, password: 'p@ss word' }).send(MAIL, signal)).toEqual({ outcome: 'sent' })
})

test('a 5xx to the recipient or the message is final, a 4xx is not', async () => {
  const codes: Record<string, number> = { 'never@example.com': 550, 'later@example.com': 451 }
  server = await startSmtpServer({
    onRcptTo: ({ address }, _session, done) => done(codes[address] ? rejection(codes[address]) : undefined),
    onData(stream, _session, done) {
      stream.resume()
      stream.on('end', () => done(rejection(554)))
    },
  })
  const send = (to: string) => mailer(server!.port).send({ ...MAIL, to }, signal)
  expect(await send('never@example.com')).toEqual({ outcome: 'refused', reason: 'the mail server refused it with 550' })
  await expect(send('later@example.com')).rejects.toMatchObject({ responseCode: 451 })
  expect(await send('spam@example.com')).toEqual({ outcome: 'refused', reason: 'the mail server refused it with 554' })
})

test('an unavailable server, or one that stays silent after the connection, fails without waiting beyond the signal', async () => {
  const sockets = new Set<Socket>()
  bare = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1')
  await once(bare, 'listening')
  const { port } = bare.address() as AddressInfo
  const abort = new AbortController()
  const hanging = mailer(port).send(MAIL, abort.signal)
  bare.once('connection', () => abort.abort())
  await expect(hanging).rejects.toMatchObject({ code: 'EABORT' })
  for (const socket of sockets) socket.destroy()
  bare.close()
  await once(bare, 'close')
  await expect(mailer(port).send(MAIL, signal)).rejects.toThrow()
})
