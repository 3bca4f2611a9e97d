// Also tested elsewhere: change requests (changes/requests/notify-of-change-requests.test.ts), delivery
// (mail/deliver-mails.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { addApprover } from '../../../testing/changes/add-approver.ts'
import { MAIL_SEALER } from '../../../testing/identity/mail-fixture.ts'
import { useStore } from '../../../testing/operations/use-store.ts'
import { openMail } from '../../identity/index.ts'
import { ringOf, silentLog } from '../../kernel/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { notifyOfOperations } from './notify-of-operations.ts'

const store = useStore()
const secrets = { jwt: ringOf('a-secret-of-the-tests-for-access-tokens'), pepper: ringOf('a-pepper-of-the-tests') }
let operation: Operation
let people: { readonly requester: number; readonly ada: number; readonly bob: number }

const partsOf = (emailVerification: 'required' | 'optional' = 'optional') => ({
  db: store.db,
  clock: store.clock,
  log: silentLog,
  secrets,
  mail: { sealer: MAIL_SEALER, emailVerification },
})
const notify = () => notifyOfOperations(partsOf())

beforeEach(async () => {
  const opWallet = await store.operationalWallet(await store.wallet())
  const { organizationId } = opWallet
  const { id: requester } = await store.db
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  const move = await store.move(opWallet, { requestedBy: { type: 'user', id: requester } })
  people = {
    requester,
    ada: await addApprover(store, organizationId),
    bob: await addApprover(store, organizationId, 'admin'),
  }
  await addApprover(store, organizationId, 'viewer')
  await store.db
    .updateTable('operations')
    .set({ approvers_notified_at: store.clock.now() })
    .where('id', '<>', move.operationId)
    .execute()
  await store.db
    .updateTable('operations')
    .set({ state: 'PENDING_APPROVAL', required_approvals: 1, requester_may_approve: false })
    .where('id', '=', move.operationId)
    .execute()
  operation = await store.reload(move)
  await store.db.deleteFrom('mails').execute()
})

const addressOf = async (id: number) =>
  (await store.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email
const addresses = (...ids: number[]) => Promise.all(ids.map(addressOf))
async function mails() {
  const rows = await store.db.selectFrom('mails').selectAll().orderBy('id').execute()
  return rows.map(({ content, ...row }) => openMail(MAIL_SEALER, { ...row, content: content! }))
}
const recipients = async () => (await mails()).map(({ to }) => to)

test('each member who may approve gets one email, and the requester and viewers none', async () => {
  await notify()
  const sent = await mails()
  expect(sent.map(({ to }) => to)).toEqual(await addresses(people.ada, people.bob))
  expect(sent[0]!.content).toMatchObject({
    kind: 'approval_request',
    request: { what: 'operation', id: operation.operationId, type: 'SUPPLY', amount: '100.00', token: 'USDC' },
  })
  expect(JSON.stringify(sent[0]!.content)).not.toMatch(/0x[0-9a-f]{6}/i)
  expect(await notify()).toBe(0)
  expect(await mails()).toHaveLength(2)
})

test('the requester gets one where their approval counts', async () => {
  await store.db
    .updateTable('operations')
    .set({ requester_may_approve: true })
    .where('id', '=', operation.operationId)
    .execute()
  await notify()
  expect(await recipients()).toEqual(await addresses(people.requester, people.ada, people.bob))
})

test('two rounds at once send one email to each', async () => {
  await Promise.all([notify(), notify(), notify()])
  expect(await recipients()).toEqual(await addresses(people.ada, people.bob))
})

test('an operation whose emails fail leaves them to the next round, and delays no other', async () => {
  const failing = {
    ...partsOf(),
    mail: { emailVerification: 'optional' as const, sealer: { ...MAIL_SEALER, seal: dies } },
  }
  expect(await notifyOfOperations(failing)).toBe(1)
  expect(await mails()).toEqual([])
  await notify()
  expect(await mails()).toHaveLength(2)

  const rest = store.db.updateTable('operations').set({ approvers_notified_at: null, state: 'PENDING_APPROVAL' })
  await rest.execute()
  await store.db.deleteFrom('mails').execute()
  let sealed = 0
  const seal: typeof MAIL_SEALER.seal = (...input) => (++sealed === 1 ? dies() : MAIL_SEALER.seal(...input))
  const failingOnce = {
    ...partsOf(),
    mail: { emailVerification: 'optional' as const, sealer: { ...MAIL_SEALER, seal } },
  }
  const waiting = await notifyOfOperations(failingOnce)
  expect(waiting).toBeGreaterThan(1)
  expect(await notify()).toBe(1)
})

test('nobody gets an email whose member, or organization, switched them off', async () => {
  await store.db.updateTable('users').set({ approval_mails: false }).where('id', '=', people.ada).execute()
  await notify()
  expect(await recipients()).toEqual(await addresses(people.bob))
  const { organizationId } = operation
  await store.db.updateTable('organizations').set({ approval_mails: false }).where('id', '=', organizationId).execute()
  const again = store.db.updateTable('operations').set({ approvers_notified_at: null })
  await again.where('id', '=', operation.operationId).execute()
  expect(await notify()).toBe(1)
  expect(await mails()).toHaveLength(1)
})

test('where addresses must be proved, only proved ones get an email', async () => {
  const proved = { email_verified_at: store.clock.now() }
  await store.db.updateTable('users').set({ email_verified_at: null }).where('id', '=', people.ada).execute()
  await store.db.updateTable('users').set(proved).where('id', '=', people.bob).execute()
  await notifyOfOperations(partsOf('required'))
  expect(await recipients()).toEqual(await addresses(people.bob))
})

test('an operation that was decided in the meantime causes no email', async () => {
  await store.db.updateTable('operations').set({ state: 'REJECTED' }).where('id', '=', operation.operationId).execute()
  expect(await notify()).toBe(0)
  expect(await mails()).toEqual([])
})

function dies(): Buffer {
  throw new Error('died')
}
