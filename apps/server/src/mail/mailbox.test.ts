import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { identityFixture } from '../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../testing/use-fixture.ts'
import { createMailboxMailer, getStoredMail, listMailbox } from './mailbox.ts'

const parts = useFixture(identityFixture)

const mail = (to: string) => ({ id: '1.a', to, subject: 'Subject', text: 'text', html: '<p>html</p>' })

test('the mailbox keeps emails, lists them by address and shows one', async () => {
  const mailer = createMailboxMailer(parts)
  const { signal } = new AbortController()
  for (const to of ['ada@acme.example', 'bob@acme.example', 'ada@acme.example']) await mailer.send(mail(to), signal)
  const page = { limit: 1, offset: 0 }
  const { items, total } = await listMailbox(parts, { ...page, to: 'ada@acme.example' })
  expect(total).toBe(2)
  expect(items).toMatchObject([{ to: 'ada@acme.example', subject: 'Subject' }])
  expect((await listMailbox(parts, page)).total).toBe(3)
  expect(await getStoredMail(parts, items[0]!.id)).toMatchObject({ text: 'text', html: '<p>html</p>' })
  await expect(getStoredMail(parts, 2 ** 40)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('the mailbox keeps the newest 500', async () => {
  await sql`
    insert into sandbox_mails (recipient, subject, text_body, html_body, created_at)
    select 'old@acme.example', 's', 't', 'h', now() from generate_series(1, 600)
  `.execute(parts.db)
  await createMailboxMailer(parts).send(mail('new@acme.example'), new AbortController().signal)
  const { items, total } = await listMailbox(parts, { limit: 1, offset: 0 })
  expect(total).toBe(500)
  expect(items).toMatchObject([{ to: 'new@acme.example' }])
})
