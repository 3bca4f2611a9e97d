import { expect, test } from 'vitest'
import { countStatements, testDatabase } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import {
  type Clock,
  KEY_SEARCH_MAX_MS,
  keyRing,
  ManualClock,
  ringOf,
  silentLog,
  systemRandomSource,
} from '../../kernel/index.ts'
import { loadServiceSecrets } from '../../secrets/index.ts'
import { checkKeys } from './check-keys.ts'

const [old, next] = ['ab'.repeat(32), 'cd'.repeat(32)]
const database = useFixture(testDatabase)

async function start(...encryption: [string, string][]): Promise<string[]> {
  const said: string[] = []
  const parts = { db: database.db, clock: new ManualClock(), log: silentLog, say: (line: string) => said.push(line) }
  const rings = { encryption: keyRing(encryption), pepper: ringOf('a pepper'), jwt: ringOf('a secret') }
  await checkKeys(parts, rings)
  await loadServiceSecrets({ ...parts, random: systemRandomSource }, rings.encryption)
  return said
}

test('the start names the keys in use, and refuses a ring without a key that stored values need', async () => {
  expect(await start(['0', old])).toEqual(['keys: encryption 0; pepper 0; access tokens 0'])
  expect(await start(['b', next], ['0', old])).toEqual([
    'keys: encryption b (and 0 to read); pepper 0; access tokens 0',
  ])
  await expect(start(['b', next])).rejects.toMatchObject({
    problems: ['ENCRYPTION_KEYS lacks the key 0: stored values need it (docs/secrets.md)'],
  })
  await expect(start(['b', next], ['0', 'ef'.repeat(32)])).rejects.toMatchObject({
    problems: [
      'ENCRYPTION_KEYS has a different key than before under the id 0: stored values need it (docs/secrets.md)',
    ],
  })
  expect((await start(['0', old], ['b', next])).length).toBe(1)
})

test('a key that no value needs may be removed from the ring', async () => {
  expect((await start(['0', old])).length).toBe(1)
  expect(await database.db.selectFrom('secret_keys').select(['kind', 'id']).orderBy('kind').execute()).toEqual([
    { kind: 'encryption', id: '0' },
    { kind: 'pepper', id: '0' },
  ])
})

/** A start whose clock moves by the longest search whenever somebody reads it. */
async function startOnSlowDisk(...encryption: [string, string][]): Promise<unknown[]> {
  const warned: unknown[] = []
  const clock = new ManualClock()
  const hasty: Clock = {
    now() {
      clock.advance(KEY_SEARCH_MAX_MS)
      return clock.now()
    },
  }
  const log = { ...silentLog, warn: (facts: unknown) => warned.push(facts) }
  const rings = { encryption: keyRing(encryption), pepper: ringOf('a pepper'), jwt: ringOf('a secret') }
  await checkKeys({ db: database.db, clock: hasty, log, say: () => undefined }, rings)
  return warned
}
const registered = async () =>
  (
    await database.db.selectFrom('secret_keys').select('id').where('kind', '=', 'encryption').orderBy('id').execute()
  ).map(({ id }) => id)

test('a start that has no time to read every value says that the use of a missing key is unknown', async () => {
  await start(['0', old])
  await database.db.deleteFrom('service_secrets').execute()
  await database.db
    .insertInto('idempotency_keys')
    .values({
      organization_id: 1,
      key: 'a request without a response',
      method: 'POST',
      path: '/v1/operations',
      body_hash: Buffer.alloc(32),
      claim: 'a claim',
      claimed_until: new Date(0),
      created_at: new Date(0),
    })
    .execute()
  expect(await startOnSlowDisk(['b', next])).toEqual([{ keyIds: ['0'] }])
  expect(await registered()).toEqual(['0', 'b'])
  await expect(startOnSlowDisk(['b', old])).rejects.toMatchObject({
    problems: [
      'ENCRYPTION_KEYS has a different key than before under the id b, and whether stored values need it is unknown: give the new key another id (docs/secrets.md)',
    ],
  })
  await start(['b', next])
  expect(await registered()).toEqual(['b'])
})

test('a start reads no event without sealed fields, however little time it has', async () => {
  await start(['0', old], ['b', next])
  await database.db.deleteFrom('service_secrets').execute()
  await database.db.deleteFrom('idempotency_keys').execute()
  const event = { organization_id: 1, event: 'operation.completed', object_type: 'operation', object_id: 1 }
  await database.db
    .insertInto('outbox')
    .values({ ...event, data: '{}', created_at: new Date(0) })
    .execute()
  expect(await startOnSlowDisk(['b', next])).toEqual([])
  expect(await registered()).toEqual(['b'])
})

test('a data key that nothing needs after the way back to local keys stays, and later starts look for no values', async () => {
  const [row] = await database.db.selectFrom('secret_keys').selectAll().where('id', '=', 'b').execute()
  const wrapped = { ...row!, id: 'kms-1', wrapped: Buffer.from('wrapped'), wrapped_by: 'a key', is_current: true }
  await database.db.insertInto('secret_keys').values(wrapped).execute()
  const looks = async () =>
    (await countStatements(() => start(['b', next]))).texts.filter((text) => /sealed_by/.test(text))
  expect((await looks()).length).toBeGreaterThan(0)
  expect(await looks()).toEqual([])
  expect(await registered()).toEqual(['b', 'kms-1'])
})
