// Also tested in: surfaces/core/identity/keys/key-requests.test.ts (what is recorded of a request, who reads it).

import { expect, test, vi } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { deleteOldRows } from '../../database/index.ts'
import { KEY_REQUESTS_BATCH_MAX, KEY_REQUESTS_MAX } from '../../kernel/index.ts'
import { generateKey } from './generate-key.ts'
import { type AnsweredRequest, KeyRequests, keyRequestRetention } from './key-requests.ts'
import { listKeyRequests } from './list-key-requests.ts'

const parts = useFixture(identityFixture)
const DAY = 86_400_000

async function requesting() {
  const { owner } = await organization(parts)
  const { organizationId, userId: createdBy } = owner
  const { id: actorId } = await generateKey(parts, { organizationId, createdBy, name: 'Payroll' })
  const route = { method: 'GET', route: '/v1/a', path: '/v1/a' }
  const answer = { status: 200, code: null, durationMs: 3 }
  const request = { organizationId, actorType: 'key', actorId, requestId: 'r', ...route, ...answer } as const
  const send = (to: KeyRequests, count: number, name: string, more: Partial<AnsweredRequest> = {}) => {
    for (let each = 1; each <= count; each += 1) to.record({ ...request, requestId: `${name}${each}`, ...more })
  }
  const listed = async () => {
    const { items } = await listKeyRequests(parts, organizationId)
    return items.map(({ requestId }) => requestId)
  }
  return { organizationId, actorId, send, listed }
}

/** Counts the statements that something sends. */
function counting() {
  const sent: string[] = []
  const db = parts.db.withPlugin({
    transformQuery: ({ node }) => {
      sent.push(node.kind)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  return { sent, requests: new KeyRequests({ ...parts, db }) }
}

const lastId = async (organizationId: number) => (await listKeyRequests(parts, organizationId)).items[0]!.id

test('a flood of a key is written at once, and leaves its latest requests only', async () => {
  const { send, listed, organizationId } = await requesting()
  const { sent, requests } = counting()
  send(requests, 5, 'before-')
  await requests.flush()
  const before = await lastId(organizationId)
  sent.length = 0
  send(requests, 3 * KEY_REQUESTS_MAX, 'r')
  await requests.flush()
  // What is written, and what goes for it.
  expect(sent).toHaveLength(2)
  expect((await lastId(organizationId)) - before).toBe(KEY_REQUESTS_MAX)
  const newest = Array.from({ length: KEY_REQUESTS_MAX }, (_, index) => `r${3 * KEY_REQUESTS_MAX - index}`)
  expect(await listed()).toEqual(newest)
})

test('what nobody asks for is written by itself', async () => {
  const { send, listed } = await requesting()
  send(new KeyRequests(parts), 2, 'r')
  await vi.waitFor(async () => expect(await listed()).toEqual(['r2', 'r1']), { timeout: 30_000 })
})

test('a key that is used often takes no place from another one', async () => {
  const { send, listed, actorId } = await requesting()
  const requests = new KeyRequests(parts)
  send(requests, 1, 'quiet', { actorId: actorId + 1_000_000 })
  send(requests, KEY_REQUESTS_MAX + 1, 'loud')
  await requests.flush()
  expect(await listed()).toHaveLength(KEY_REQUESTS_MAX + 1)
  expect(await listed()).toContain('quiet1')
})

test('processes that write at the same time leave the latest requests of a key only', async () => {
  const { send, listed } = await requesting()
  const processes = [new KeyRequests(parts), new KeyRequests(parts), new KeyRequests(parts)]
  for (let second = 1; second <= 3; second += 1) {
    for (const [index, each] of processes.entries()) send(each, KEY_REQUESTS_MAX, `p${index}-`)
    await Promise.all(processes.map((each) => each.flush()))
    expect(await listed()).toHaveLength(KEY_REQUESTS_MAX)
  }
})

test('a clock that goes back or ahead changes no order, and nothing new goes for something old', async () => {
  const { send, listed } = await requesting()
  const requests = new KeyRequests(parts)
  send(requests, KEY_REQUESTS_MAX, 'ahead')
  await requests.flush()
  let now = parts.clock.now().getTime()
  const clock = {
    now: () => {
      now -= 400 * DAY
      return new Date(now)
    },
  }
  const back = new KeyRequests({ ...parts, clock })
  send(back, 2, 'back')
  await back.flush()
  expect((await listed()).slice(0, 3)).toEqual(['back2', 'back1', `ahead${KEY_REQUESTS_MAX}`])
  expect(await listed()).toHaveLength(KEY_REQUESTS_MAX)
})

test('memory holds a limited number of requests while nothing is written', async () => {
  const { send, organizationId } = await requesting()
  const requests = new KeyRequests(parts)
  for (let key = 1; key <= KEY_REQUESTS_BATCH_MAX / KEY_REQUESTS_MAX + 3; key += 1)
    send(requests, KEY_REQUESTS_MAX, 'r', { actorId: key })
  await requests.flush()
  expect(await listKeyRequests(parts, organizationId)).toMatchObject({ total: KEY_REQUESTS_BATCH_MAX })
})

test('a request is deleted after seven days, the newer ones of its key stay', async () => {
  const { send, listed } = await requesting()
  const requests = new KeyRequests(parts)
  send(requests, 1, 'old')
  await requests.flush()
  parts.clock.advance(6 * DAY)
  send(requests, 1, 'new')
  await requests.flush()
  await deleteOldRows(parts, [keyRequestRetention(parts)])
  expect(await listed()).toEqual(['new1', 'old1'])
  parts.clock.advance(DAY + 1)
  await deleteOldRows(parts, [keyRequestRetention(parts)])
  expect(await listed()).toEqual(['new1'])
})
