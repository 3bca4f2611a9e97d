import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type IdentityFixture, identityFixture, organization } from '../../../../testing/identity/identity-fixture.ts'
import { until } from '../../../../testing/index.ts'
import { openEventStream } from '../../../../testing/surfaces/open-event-stream.ts'
import { sendAndLeave } from '../../../../testing/surfaces/send-and-leave.ts'
import { serveEvents, tellEvent } from '../../../../testing/surfaces/serve-events.ts'
import { authenticatorOf, deleteKey, generateKey } from '../../../identity/index.ts'
import { EVENT_STREAMS_PER_ORGANIZATION_MAX, LIST_LIMIT_MAX } from '../../../kernel/index.ts'
import type { App } from '../index.ts'

let parts: IdentityFixture
let app: App
let url: string
let owner: Awaited<ReturnType<typeof organization>>
let key: Awaited<ReturnType<typeof generateKey>>
let organizationId: number
/** Runs before each check of a key. */
let beforeKeyCheck: () => Promise<unknown>
/** Requests that reached their handler. */
let handled = 0

beforeAll(async () => {
  parts = await identityFixture()
  const authenticate = authenticatorOf(parts)
  const checked = {
    ...authenticate,
    async key(text: string, from: string) {
      await beforeKeyCheck()
      return await authenticate.key(text, from)
    },
  }
  ;({ app, url } = await serveEvents(parts, checked, () => {
    handled += 1
  }))
})
afterAll(async () => {
  await app.close()
  await parts.close()
})
beforeEach(async () => {
  beforeKeyCheck = async () => {}
  owner = await organization(parts)
  organizationId = owner.organization.id
  key = await generateKey(parts, { organizationId, name: 'reader' })
})

const tell = (objectId: number) =>
  tellEvent(parts, { organizationId, event: 'transaction.updated', objectId, data: { transaction_id: objectId } })
const openStream = (path: string, headers: Record<string, string>) => openEventStream(url + path, headers)
const idsIn = (stream: Awaited<ReturnType<typeof openStream>>) => stream.frames().map(({ id }) => id)
const withKey = () => ({ 'x-api-key': key.apiKey })

test('a key that is deleted while a reconnecting client catches up gets no further page', async () => {
  const told: number[] = []
  for (let object = 1; object <= LIST_LIMIT_MAX + 1; object += 1) told.push(await tell(object))
  let checks = 0
  beforeKeyCheck = async () => {
    checks += 1
    // That of the request and that of the first page came before.
    if (checks === 3) await deleteKey(parts, organizationId, key.id)
  }
  const stream = await openStream('/v1/events', { ...withKey(), 'last-event-id': '0' })
  await until(() => stream.hasEnded())
  expect(idsIn(stream)).toEqual(told.slice(0, LIST_LIMIT_MAX))
})

test('a stream ends when its member must first enroll a second factor', async () => {
  const stream = await openStream('/api/core/events', { authorization: `Bearer ${owner.accessToken}` })
  await until(() => stream.text().startsWith('retry: '))
  const heard = await tell(1)
  await until(() => stream.frames().length === 1)
  await parts.db
    .updateTable('organizations')
    .set({ second_factor_required: true })
    .where('id', '=', organizationId)
    .execute()
  await tell(2)
  await until(() => stream.hasEnded())
  expect(idsIn(stream)).toEqual([heard])
})

test('clients that leave while their key is checked keep no stream', async () => {
  const headers = { accept: 'text/event-stream', ...withKey() }
  const before = handled
  for (let each = 1; each <= EVENT_STREAMS_PER_ORGANIZATION_MAX; each += 1) {
    const [arrived, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    beforeKeyCheck = async () => {
      arrived.resolve()
      await left.promise
    }
    await sendAndLeave(app, { path: '/v1/events', headers }, arrived.promise)
    left.resolve()
    await until(() => handled === before + each)
  }
  beforeKeyCheck = async () => {}
  const stream = await openStream('/v1/events', withKey())
  expect(stream.status).toBe(200)
  stream.leave()
})
