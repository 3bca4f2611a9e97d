import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/index.ts'
import { useFixture } from '../../testing/use-fixture.ts'
import { keyRing, ManualClock, ringOf, systemRandomSource } from '../kernel/index.ts'
import { loadServiceSecrets } from './service-secrets.ts'

const database = useFixture(testDatabase)

const OLD = 'ab'.repeat(32)
const parts = () => ({ db: database.db, clock: new ManualClock(), random: systemRandomSource })

test('what versions before derived from ENCRYPTION_KEY keeps that root, also once the key has left the ring', async () => {
  const first = await loadServiceSecrets(parts(), ringOf(OLD))
  expect(first).toMatchObject({ sandboxProvider: OLD, bridgeFingerprints: OLD })
  expect(first.blindIndex).toMatch(/^[0-9a-f]{64}$/)
  expect(first.blindIndex).not.toBe(OLD)
  const rotated = keyRing([
    ['b', 'cd'.repeat(32)],
    ['0', OLD],
  ])
  expect(await loadServiceSecrets(parts(), rotated)).toEqual(first)
})

test('processes that start at once on a new database have the same secrets', async () => {
  await database.db.deleteFrom('service_secrets').execute()
  const ring = keyRing([['k', OLD]])
  const [one, other] = await Promise.all([loadServiceSecrets(parts(), ring), loadServiceSecrets(parts(), ring)])
  expect(one).toEqual(other)
  expect(Object.values(one)).not.toContain(OLD)
})

test('where an earlier version may still write its first customer in plain text, the service reads it', async () => {
  const stateOf = async () => {
    await database.db.deleteFrom('service_secrets').execute()
    return (await loadServiceSecrets(parts(), ringOf(OLD))).clearFields
  }
  expect(await stateOf()).toBe('refused')
  await database.db
    .insertInto('organizations')
    .values({ name: 'Acme', created_at: new Date(0) })
    .execute()
  expect(await stateOf()).toBe('accepted')
  await database.db.deleteFrom('service_secrets').execute()
  await loadServiceSecrets(parts(), keyRing([['k', OLD]]))
})

test('a stored secret does not take the place of another', async () => {
  const [row] = await database.db
    .selectFrom('service_secrets')
    .select('sealed')
    .where('name', '=', 'blindIndex')
    .execute()
  await database.db
    .updateTable('service_secrets')
    .set({ sealed: row!.sealed })
    .where('name', '=', 'sandboxProvider')
    .execute()
  await expect(loadServiceSecrets(parts(), keyRing([['k', OLD]]))).rejects.toThrow()
})
