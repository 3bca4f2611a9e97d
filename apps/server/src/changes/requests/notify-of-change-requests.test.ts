// Also tested elsewhere: who is left out, and crashes (operations/approval/notify-of-operations.test.ts).
import { expect, test } from 'vitest'
import { useChanges } from '../../../testing/changes/use-changes.ts'
import { MAIL_SEALER } from '../../../testing/identity/mail-fixture.ts'
import { openMail } from '../../identity/index.ts'
import { notifyOfChangeRequests } from './notify-of-change-requests.ts'

const use = useChanges()
const notify = () =>
  notifyOfChangeRequests({ ...use.parts, mail: { sealer: MAIL_SEALER, emailVerification: 'optional' } })

async function mails() {
  const rows = await use.parts.db.selectFrom('mails').selectAll().orderBy('id').execute()
  return rows.map(({ content, ...row }) => openMail(MAIL_SEALER, { ...row, content: content! }))
}

test('members who may approve get one email with the summary, without the body, and the requester none', async () => {
  const request = await use.request()
  await notify()
  const sent = await mails()
  const { db } = use.parts
  const { admin, grace, linus } = use.ids
  const users = await db
    .selectFrom('users')
    .select('email')
    .where('id', 'in', [admin, grace, linus])
    .orderBy('id')
    .execute()
  expect(sent.map(({ to }) => to)).toEqual(users.map(({ email }) => email))
  for (const { content } of sent)
    expect(content).toEqual({
      kind: 'approval_request',
      organizationName: expect.any(String),
      request: { what: 'change', id: request.id, summary: request.content.summary },
    })
  expect(await notify()).toBe(0)
  expect(await mails()).toHaveLength(3)
})

test('a request that a rule approves at once, one that was decided, and one of a removed member cause no email', async () => {
  await use.request({ rule: { requiredApprovals: 0, coolingOffSeconds: 60 } })
  await notify()
  const before = (await mails()).length
  const request = await use.request({ fingerprint: Buffer.alloc(32, 9) })
  await use.approveTwice(request)
  await use.request({ requestedBy: { type: 'user', id: use.ids.admin } })
  await use.remove(use.ids.admin)
  await notify()
  expect(await mails()).toHaveLength(before)
})
