import Type from 'typebox'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { overlap } from '../../../../testing/database/overlap.ts'
import { testDatabase, until } from '../../../../testing/index.ts'
import { useFixture } from '../../../../testing/use-fixture.ts'
import { deleteOldRows } from '../../../database/index.ts'
import {
  IDEMPOTENCY_CLAIM_MS,
  IDEMPOTENCY_RETENTION_MS,
  IDEMPOTENCY_WAIT_MS,
  silentLog,
} from '../../../kernel/index.ts'
import type { App } from '../app.ts'
import { runVerb } from '../pipeline/run-verb.ts'
import { type TestServer, testServer, v1Write } from '../server/test-server.ts'
import { claimKey, idempotencyKeyRetention, releaseClaim, renewClaims, storeResponse } from './claims.ts'

// `register-idempotency.test.ts` tests the other guarantees of keys, over the same server.
const database = useFixture(testDatabase)
let server: TestServer
let held = Promise.withResolvers<void>()
let isRunning = false

function routes(app: App): void {
  const schema = { response: { 201: Type.Object({}) } }
  app.post('/v1/supply', { config: { ...v1Write, idempotent: 'plain' }, schema }, (_request, reply) =>
    runVerb(
      reply,
      201,
      () => ({}),
      (transact) =>
        transact(async () => {
          isRunning = true
          await held.promise
        }),
    ),
  )
}
beforeEach(async () => {
  held = Promise.withResolvers()
  isRunning = false
  server = await testServer(routes, { db: database.db, idempotencyWaitMs: 300 })
})
afterEach(async () => {
  held.resolve()
  await server.app.close()
})

const REQUEST = {
  organizationId: 1,
  walletProfileId: null,
  method: 'POST',
  path: '/v1/supply',
  bodyHash: Buffer.from('body'),
  olderBodyHashes: [],
}

const post = (key: string) =>
  server.app.inject({
    method: 'POST',
    url: '/v1/supply',
    headers: { 'x-api-key': 'profile-key', 'idempotency-key': key },
  })
const claimedUntil = async (key: string) => {
  const query = database.db.selectFrom('idempotency_keys').select('claimed_until').where('key', '=', key)
  return (await query.executeTakeFirstOrThrow()).claimed_until.getTime()
}

test('a repetition takes the key of a process that died within its wait', async () => {
  held.resolve()
  await post('dead')
  await database.db
    .updateTable('idempotency_keys')
    .set({ claim: 'of a dead process', response_status: null, response_body: null })
    .execute()
  server.clock.advance(IDEMPOTENCY_CLAIM_MS - 1)
  expect((await post('dead')).statusCode).toBe(409)
  server.clock.advance(1)
  expect((await post('dead')).statusCode).toBe(201)
  expect(IDEMPOTENCY_CLAIM_MS).toBeLessThan(IDEMPOTENCY_WAIT_MS)
})

test('the key of a running request stays claimed, and a repetition learns when to try again', async () => {
  const slow = post('slow')
  await until(() => isRunning)
  const before = await claimedUntil('slow')
  server.clock.advance(IDEMPOTENCY_CLAIM_MS - 1)
  await until(async () => (await claimedUntil('slow')) > before)
  server.clock.advance(IDEMPOTENCY_CLAIM_MS - 1)
  const repetition = await post('slow')
  const { code, details } = repetition.json()
  expect([repetition.statusCode, code, details]).toEqual([
    409,
    'IDEMPOTENCY_CONFLICT',
    { reason: 'request_in_progress' },
  ])
  expect(repetition.headers['retry-after']).toBe('1')
  held.resolve()
  expect((await slow).statusCode).toBe(201)
})

/** A key that a process claimed, then froze for longer than a claim lasts. */
async function abandoned(key: string) {
  const frozen = { ...REQUEST, key, claim: 'of a frozen process' }
  const now = server.clock.now()
  await claimKey(database.db, frozen, now)
  return { frozen, later: new Date(now.getTime() + IDEMPOTENCY_CLAIM_MS) }
}

test('one of two repetitions that find a key abandoned at the same time gets it', async () => {
  const { frozen, later } = await abandoned('twice')
  const first = { ...frozen, claim: 'of the first' }
  const other = overlap(database.db, () => claimKey(database.db, { ...frozen, claim: 'of the second' }, later))
  expect(await other.transact((tx) => claimKey(tx, first, later))).toEqual({ kind: 'claimed' })
  expect(await other.outcome()).toEqual({ kind: 'running' })
})

test('a process that wakes after its key was taken over neither stores, prolongs nor releases anything', async () => {
  const { db } = database
  const { frozen, later } = await abandoned('woken')
  const taker = { ...frozen, claim: 'of the repetition' }
  expect(await claimKey(db, taker, later)).toEqual({ kind: 'claimed' })
  const ends = await claimedUntil('woken')
  await renewClaims(db, [frozen], new Date(later.getTime() + 1_000))
  expect(await claimedUntil('woken')).toBe(ends)
  expect(await storeResponse(db, frozen, 201, 'of the frozen process')).toBe(false)
  await releaseClaim(db, frozen)
  expect(await storeResponse(db, taker, 201, 'of the repetition')).toBe(true)
})

test('one sweep deletes every key of yesterday, however many there are, and none of today', async () => {
  await database.db.deleteFrom('idempotency_keys').execute()
  held.resolve()
  for (const key of ['first', 'second', 'third']) await post(key)
  server.clock.advance(IDEMPOTENCY_RETENTION_MS)
  await post('today')
  const parts = { db: database.db, log: silentLog }
  const deleted = await deleteOldRows(parts, [idempotencyKeyRetention(server)], { batch: 1 })
  expect(deleted.get('idempotency_keys')).toBe(3)
  const left = await database.db.selectFrom('idempotency_keys').select('key').execute()
  expect(left).toEqual([{ key: 'today' }])
})
