import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/index.ts'
import { useFixture } from '../../testing/use-fixture.ts'
import { keyRing, ManualClock } from '../kernel/index.ts'
import { registerKeys } from './register-keys.ts'

const database = useFixture(testDatabase)

test('a ring is compared with every key that was current before', async () => {
  const parts = { db: database.db, clock: new ManualClock() }
  const register = (...keys: [string, string][]) => registerKeys(parts, 'encryption', keyRing(keys))
  const [old, next] = ['ab'.repeat(32), 'cd'.repeat(32)]
  expect(await register(['0', old])).toEqual({ missing: [], different: [] })
  expect(await register(['0', old], ['b', next])).toEqual({ missing: [], different: [] })
  expect(await register(['b', next], ['0', old])).toEqual({ missing: [], different: [] })
  expect(await register(['0', old])).toEqual({ missing: ['b'], different: [] })
  expect(await register(['b', next])).toEqual({ missing: ['0'], different: [] })
  expect(await register(['b', old], ['0', next])).toEqual({ missing: [], different: ['0', 'b'] })
})

test('what is registered does not contain the key', async () => {
  const rows = await database.db.selectFrom('secret_keys').selectAll().execute()
  expect(rows.length).toBe(2)
  for (const { fingerprint } of rows) expect(fingerprint.toString('hex')).not.toMatch(/abab|cdcd/)
})
