import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDatabase } from '../../../testing/index.ts'
import { migrate, type OpenDatabase, openDatabase } from '../../database/index.ts'
import { keyRing, ManualClock, ringOf, silentLog, systemRandomSource } from '../../kernel/index.ts'
import { loadServiceSecrets, registerKeys } from '../../secrets/index.ts'
import { rotateSecrets, type SecretsRotation } from './rotate-secrets-command.ts'

const [old, next] = ['ab'.repeat(32), 'cd'.repeat(32)]
const SECRET = 'x'.repeat(32)
let url: string
let drop: () => Promise<void>
let opened: OpenDatabase
beforeAll(async () => {
  ;({ url, drop } = await emptyDatabase())
  opened = openDatabase({ url, log: silentLog, max: 2 })
  await migrate(opened.db, silentLog)
})
afterAll(async () => {
  await opened?.close()
  await drop?.()
})

async function run(keys: string, ...args: string[]): Promise<SecretsRotation & { lines: string[] }> {
  const lines: string[] = []
  const env = { DATABASE_URL: url, JWT_SECRET: SECRET, API_KEY_PEPPER: SECRET, ENCRYPTION_KEYS: keys }
  return { ...(await rotateSecrets(env, args, (line) => lines.push(line))), lines }
}

test('values move to the current key, and the table shows that the old one can be removed', async () => {
  const parts = { db: opened.db, clock: new ManualClock(), random: systemRandomSource }
  const secrets = await loadServiceSecrets(parts, ringOf(old))
  const ring = `b:${next},0:${old}`
  const pepper = { kind: 'pepper', key: '0', left: 0, current: true, inRing: true }
  expect(await run(ring, '--check')).toEqual({
    isWhole: true,
    keys: [
      { kind: 'encryption', key: 'b', left: 0, current: true, inRing: true },
      { kind: 'encryption', key: '0', left: 4, current: false, inRing: true },
      pepper,
    ],
    lines: [
      'kind        key  values left',
      'encryption  b    0 (current)',
      'encryption  0    4',
      'pepper      0    0 (current)',
    ],
  })
  expect(await run(ring)).toEqual({
    isWhole: true,
    allReadable: true,
    keys: [
      { kind: 'encryption', key: 'b', left: 4, current: true, inRing: true },
      { kind: 'encryption', key: '0', left: 0, current: false, inRing: true },
      pepper,
    ],
    lines: [
      'service_secrets.sealed: 4 sealed under b',
      'kind        key  values left',
      'encryption  b    4 (current)',
      'encryption  0    0',
      'pepper      0    0 (current)',
    ],
  })
  expect(await loadServiceSecrets(parts, keyRing([['b', next]]))).toEqual(secrets)
})

test('a rotation without the old key forgets it once nothing needs it, and --check does not', async () => {
  await registerKeys({ db: opened.db, clock: new ManualClock() }, 'encryption', ringOf(old))
  const registered = () => opened.db.selectFrom('secret_keys').select('id').where('kind', '=', 'encryption').execute()
  await run(`b:${next}`, '--check')
  expect(await registered()).toEqual([{ id: '0' }])
  await run(`b:${next}`)
  expect(await registered()).toEqual([])
})

test('what a key outside the ring sealed is reported as a defect, and stays', async () => {
  const { isWhole, allReadable, keys, lines } = await run(`c:${'ef'.repeat(32)}`, '--check')
  expect({ isWhole, allReadable }).toEqual({ isWhole: false, allReadable: undefined })
  expect(keys).toContainEqual({ kind: 'encryption', key: 'b', left: 4, current: false, inRing: false })
  expect(lines).toContain('encryption  b    4 (not in the ring)')
})

test('other arguments are refused', async () => {
  await expect(run(`b:${next}`, '--force')).rejects.toThrow(
    'rotate-secrets takes --check, --new-data-key, --use-data-key or nothing, not "--force"',
  )
})

test('recovery codes count under their pepper until they are used, and show in the table', async () => {
  const [{ db }, created_at] = [opened, new Date()]
  const { id: organizationId } = await db
    .insertInto('organizations')
    .values({ name: 'Acme', created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: userId } = await db
    .insertInto('users')
    .values({
      organization_id: organizationId,
      email: 'ada@acme.example',
      password_hash: '',
      role: 'owner',
      created_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const code = (hash: string, used_at: Date | null) => ({
    organization_id: organizationId,
    user_id: userId,
    code_hash: Buffer.from(hash),
    used_at,
    pepper_id: 'older',
  })
  await db
    .insertInto('user_recovery_codes')
    .values([code('one', null), code('two', null), code('three', new Date())])
    .execute()
  const { isWhole, lines } = await run(`b:${next}`, '--check')
  expect(lines).toContain('pepper      older  2 (not in the ring)')
  expect(isWhole, 'hashes end with their pepper').toBe(true)
})
