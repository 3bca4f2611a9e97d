// Also tested in: mail/deliver-mails.test.ts (what becomes of a queued email).
import { expect, test } from 'vitest'
import { mailFixture } from '../../../testing/identity/mail-fixture.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction, type Transact } from '../../database/index.ts'
import { openMail, queueMail, requireMail } from './queue-mail.ts'

const parts = useFixture(mailFixture)

const content = { kind: 'password_reset', organizationName: 'Acme', token: 'reset_secret' } as const
const queue = (to: string, transact: Transact<boolean> = (work) => inTransaction(parts.db, work)) =>
  transact((tx) => queueMail(tx, parts, { to, content, lifetimeMs: 3_600_000, organizationId: null }))
const rows = () => parts.db.selectFrom('mails').selectAll().execute()

test('a queued email is readable only with the service’s key, and only as what it was sealed for', async () => {
  expect(await queue('ada@acme.example')).toBe(true)
  const [row] = await rows()
  const stored = JSON.stringify(row, (_, value) => (Buffer.isBuffer(value) ? value.toString('latin1') : value))
  for (const secret of ['ada@acme.example', 'reset_secret', 'Acme']) expect(stored).not.toContain(secret)
  const sealed = { ...row!, content: row!.content! }
  expect(openMail(parts.mail.sealer, sealed)).toEqual({ to: 'ada@acme.example', content })
  expect(() => openMail(parts.mail.sealer, { ...sealed, kind: 'notice' })).toThrow()
  expect(() => openMail(parts.mail.sealer, { ...sealed, recipient: Buffer.alloc(32) })).toThrow()
})

test('an email commits with its cause, or not at all', async () => {
  const before = (await rows()).length
  await expect(queue('bob@acme.example', failingTransact(parts.db, 'not recorded'))).rejects.toThrow('not recorded')
  expect(await rows()).toHaveLength(before)
})

test('an address gets five resets in an hour and twenty in a day, then one in each hour without any', async () => {
  const to = 'flooded@acme.example'
  let sent = 0
  for (let hour = 0; hour < 6; hour += 1) {
    for (let i = 0; i < 7; i += 1) sent += Number(await queue(to))
    expect(sent).toBe(hour < 4 ? (hour + 1) * 5 : 20 + hour - 3)
    parts.clock.advance(3_600_000)
  }
  expect(await queue('other@acme.example')).toBe(true)
  parts.clock.advance(86_400_000)
  expect(await queue(to)).toBe(true)
})

test('nothing is queued without a mail server, or for an address that no email reaches', async () => {
  expect(await queue('released-7@weir.invalid')).toBe(false)
  const without = inTransaction(parts.db, (tx) =>
    queueMail(
      tx,
      { ...parts, mail: undefined },
      { to: 'ada@acme.example', content, lifetimeMs: 1, organizationId: null },
    ),
  )
  expect(await without).toBe(false)
  expect(() => requireMail({ mail: undefined })).toThrow(
    expect.objectContaining({ code: 'FORBIDDEN', details: { reason: 'mail_unavailable' } }),
  )
})
