// Also tested in: mail/smtp-mailer.test.ts (which responses of a server are final).
import { afterEach, beforeEach, expect, test } from 'vitest'
import { organization } from '../../testing/identity/identity-fixture.ts'
import { MAIL_SEALER, type MailFixture, mailFixture } from '../../testing/identity/mail-fixture.ts'
import { until } from '../../testing/index.ts'
import { TEST_CERTIFICATE } from '../../testing/stand-ins/test-certificate.ts'
import { startSmtpServer, type TestSmtpServer } from '../../testing/stand-ins/test-smtp-server.ts'
import { deleteOldRows } from '../database/index.ts'
import { answerAddressRequests, mailLabel, requestPasswordReset } from '../identity/index.ts'
import { createSealer, keyRing, MAIL_RETRY_AFTER_MS, MAILS_CONCURRENCY, systemRandomSource } from '../kernel/index.ts'
import { deliverMails } from './deliver-mails.ts'
import { mailRetention } from './mail-retention.ts'
import type { MailDeliveryParts } from './parts.ts'
import { createSmtpMailer } from './smtp-mailer.ts'

let parts: MailFixture
let server: TestSmtpServer
let delivery: MailDeliveryParts
beforeEach(async () => {
  parts = await mailFixture('off')
  await start()
})
afterEach(async () => {
  await server?.close()
  await parts?.close()
})

async function start(options: Parameters<typeof startSmtpServer>[0] = {}): Promise<void> {
  await server?.close()
  server = await startSmtpServer(options)
  const { db, clock, log } = parts
  const at = { host: '127.0.0.1', port: server.port, user: undefined, password: undefined, tls: 'required' } as const
  const mailer = createSmtpMailer({ ...at, ca: TEST_CERTIFICATE.cert }, { name: '', address: 'no-reply@acme.example' })
  delivery = { db, clock, log, sealer: MAIL_SEALER, mailer, accountUrl: 'https://weir.acme.example/account' }
}
const deliver = (onAttempt?: () => void) => deliverMails(delivery, new AbortController().signal, onAttempt)
async function queue(): Promise<string> {
  const { user } = await organization(parts)
  await requestPasswordReset(parts, user.email)
  await answerAddressRequests(parts)
  return user.email
}
const rows = () => parts.db.selectFrom('mails').selectAll().orderBy('id').execute()
const refuse = (responseCode: number) => ({
  onRcptTo: (_: unknown, __: unknown, done: (error?: Error) => void) =>
    done(Object.assign(new Error(`${responseCode} <ada@acme.example> no`), { responseCode })),
})

test('an email is sent once, with a link to the configured page, and forgets its content', async () => {
  const email = await queue()
  let attempts = 0
  const count = () => (attempts += 1)
  expect(await deliver(count)).toBe(1)
  expect(await deliver(count)).toBe(0)
  expect(attempts).toBe(1)
  expect(server.received).toMatchObject([{ to: [email], isEncrypted: true }])
  const text = server.received[0]!.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  expect(text).toMatch(/https:\/\/weir\.acme\.example\/account#reset=reset_[0-9A-Za-z]{36}\r\n/)
  expect(await rows()).toMatchObject([
    { content: null, next_attempt_at: null, sent_at: parts.clock.now(), attempts: 1 },
  ])
})

test('an unavailable server delays an email, with growing pauses, until its token has expired', async () => {
  await queue()
  await server.close()
  const start = parts.clock.now().getTime()
  const tried: number[] = []
  for (let minute = 0; minute <= 60; minute += 1) {
    for (let step = 0; step < 6; step += 1) {
      if ((await deliver()) > 0) tried.push((parts.clock.now().getTime() - start) / 1_000)
      parts.clock.advance(10_000)
    }
  }
  expect(tried).toEqual([0, 10, 70, 370, 1_270, 3_600 + 1_270].slice(0, 5))
  expect(await rows()).toMatchObject([{ attempts: 5, failure: expect.stringMatching(/^E[A-Z]+/) }])
  parts.clock.advance(3_600_000)
  await deliver()
  expect(await rows()).toMatchObject([
    { content: null, sent_at: null, failure: 'it expired before a mail server accepted it' },
  ])
})

test('an email that could not be sent is sent when the server is back', async () => {
  const email = await queue()
  await start(refuse(451))
  await deliver()
  const [row] = await rows()
  expect(row).toMatchObject({ failure: 'EENVELOPE 451' })
  await start()
  parts.clock.advance(10_000)
  await deliver()
  expect(server.received).toMatchObject([{ to: [email] }])
  expect(await rows()).toMatchObject([{ failure: null, content: null }])
})

test('a final refusal ends an email at once, and what a server says is not stored', async () => {
  await queue()
  await start(refuse(550))
  await deliver()
  expect(await rows()).toMatchObject([
    { content: null, next_attempt_at: null, sent_at: null, failure: 'the mail server refused it with 550' },
  ])
})

test('a process that dies while it sends leads to one more mail with the same id, after the usual pause', async () => {
  await queue()
  const { mailer } = delivery
  const dies = {
    ...delivery,
    mailer: {
      send: async (...args: Parameters<typeof mailer.send>) => {
        await mailer.send(...args)
        return new Promise<never>((_, reject) => args[1].addEventListener('abort', () => reject(new Error('died'))))
      },
    },
  }
  const process = new AbortController()
  const dying = deliverMails(dies, process.signal)
  while (server.received.length === 0) await new Promise((resolve) => setImmediate(resolve))
  process.abort()
  await dying
  expect(await deliver()).toBe(0)
  parts.clock.advance(10_000)
  expect(await deliver()).toBe(1)
  const ids = server.received.map(({ raw }) => /^Message-ID: .*$/m.exec(raw)?.[0])
  expect(ids).toHaveLength(2)
  expect(ids[0]).toBe(ids[1])
})

test('a hanging mail delays no others', async () => {
  const emails = [await queue(), await queue(), await queue()]
  await start({
    onRcptTo: ({ address }, _session, done) => {
      if (address !== emails[0]) done()
    },
  })
  const stop = new AbortController()
  const round = deliverMails(delivery, stop.signal)
  await until(async () => (await rows()).filter(({ sent_at }) => sent_at !== null).length === 2)
  stop.abort()
  await round
  expect((await rows()).map(({ sent_at }) => sent_at !== null)).toEqual([false, true, true])
})

test('emails that a stopping process claimed and did not begin lose no attempt, and are sent by the next one', async () => {
  for (let count = 0; count < MAILS_CONCURRENCY + 2; count += 1) await queue()
  await start({ onRcptTo: () => undefined })
  const stop = new AbortController()
  const { mailer } = delivery
  let begun = 0
  const counting: MailDeliveryParts['mailer'] = {
    send(...args) {
      begun += 1
      return mailer.send(...args)
    },
  }
  const round = deliverMails({ ...delivery, mailer: counting }, stop.signal)
  await until(async () => begun === MAILS_CONCURRENCY)
  stop.abort()
  expect(await round).toBe(MAILS_CONCURRENCY)
  expect((await rows()).map(({ attempts }) => attempts).sort()).toEqual([0, 0, 1, 1, 1, 1])
  await start()
  expect(await deliver()).toBe(2)
  expect(server.received).toHaveLength(2)
})

test('an email that was sealed with another key is given up, and the next one is sent', async () => {
  await queue()
  const sealer = createSealer('0b'.repeat(32), 'mail', systemRandomSource)
  await deliverMails({ ...delivery, sealer }, new AbortController().signal)
  expect(await rows()).toMatchObject([{ content: null, failure: 'it was sealed with another key' }])
  await queue()
  await deliver()
  expect(server.received).toHaveLength(1)
})

test('a process that lacks a new key loses no mail: one that has it sends it', async () => {
  await queue()
  const { id, kind, recipient, content } = (await rows())[0]!
  const label = mailLabel({ kind, recipient })
  const ring = keyRing([
    ['2026b', 'ab'.repeat(32)],
    ['0', '0a'.repeat(32)],
  ])
  const renewed = createSealer(ring, 'mail', systemRandomSource)
  const sealed = renewed.seal(MAIL_SEALER.open(content!, label), label)
  await parts.db.updateTable('mails').set({ content: sealed }).where('id', '=', id).execute()
  await deliver()
  expect(server.received).toEqual([])
  expect(await rows()).toMatchObject([{ content: sealed, sent_at: null, failure: 'MissingKeyError' }])
  parts.clock.advance(MAIL_RETRY_AFTER_MS[0]!)
  await deliverMails({ ...delivery, sealer: renewed }, new AbortController().signal)
  expect(server.received).toHaveLength(1)
  expect(await rows()).toMatchObject([{ content: null, sent_at: parts.clock.now(), failure: null }])
})

test('ended emails are swept after two days, waiting ones never', async () => {
  await queue()
  await deliver()
  await queue()
  parts.clock.advance(2 * 86_400_000)
  await deleteOldRows(parts, [mailRetention(parts)])
  expect(await rows()).toMatchObject([{ sent_at: null }])
})

test('a round waits for the emails that are being sent, although another one failed', async () => {
  await queue()
  await queue()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const calls = [first, second]
  let sending = 0
  const mailer: MailDeliveryParts['mailer'] = {
    async send() {
      sending += 1
      await calls[sending - 1]!.promise
      return { outcome: 'sent' }
    },
  }
  const { db } = parts
  const lost = Object.assign(new Error('Connection terminated'), { code: '08006' })
  let isLost = false
  const failing = db.withPlugin({
    transformQuery({ node }) {
      if (isLost && node.kind === 'UpdateQueryNode') throw lost
      return node
    },
    transformResult: async ({ result }) => result,
  })
  let isOver = false
  const round = deliverMails({ ...delivery, db: failing, mailer }, new AbortController().signal).finally(() => {
    isOver = true
  })
  round.catch(() => undefined)
  await until(async () => sending === 2)
  isLost = true
  first.resolve()
  await db.selectFrom('mails').select('id').execute()
  expect(isOver).toBe(false)
  isLost = false
  second.resolve()
  await expect(round).rejects.toBe(lost)
  expect((await rows()).filter(({ sent_at }) => sent_at !== null)).toHaveLength(1)
})
