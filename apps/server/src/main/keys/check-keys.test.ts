import { expect, test } from 'vitest'
import { testDatabase } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { keyRing, ManualClock, ringOf, silentLog, systemRandomSource } from '../../kernel/index.ts'
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
    problems: ['ENCRYPTION_KEYS lacks the key 0: 4 stored values need it (docs/secrets.md)'],
  })
  await expect(start(['b', next], ['0', 'ef'.repeat(32)])).rejects.toMatchObject({
    problems: [
      'ENCRYPTION_KEYS has a different key than before under the id 0: 4 stored values need it (docs/secrets.md)',
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
