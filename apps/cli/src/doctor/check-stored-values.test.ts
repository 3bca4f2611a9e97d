import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../../../server/src/config.ts'
import { keyRing, ManualClock, systemRandomSource } from '../../../server/src/kernel/index.ts'
import { SEALED_COLUMNS } from '../../../server/src/main/keys/sealed-columns.ts'
import {
  connectAwsKms,
  createFirstDataKey,
  loadServiceSecrets,
  registerKeys,
} from '../../../server/src/secrets/index.ts'
import { emptyDatabase, testDatabase } from '../../../server/testing/index.ts'
import { KEY_SERVICE_ENV, startKeyService } from '../../../server/testing/stand-ins/key-service.ts'
import { checkStoredValues } from './check-stored-values.ts'
import { ok, problem, skipped, warning } from './findings.ts'

const [OLD, NEXT] = ['ab'.repeat(32), 'cd'.repeat(32)]
const SECRETS = { JWT_SECRET: 'j'.repeat(32), API_KEY_PEPPER: 'p'.repeat(32), DATA_DIR: '/nowhere' }
const REMEDY = 'restore that key under its id: without it nobody reads these values (docs/secrets.md)'

let database: Awaited<ReturnType<typeof testDatabase>>
beforeEach(async () => {
  database = await testDatabase()
  onTestFinished(() => database.close())
})

/** Registers and seals what a first start does: four values. */
async function firstStart(): Promise<void> {
  const parts = { db: database.db, clock: new ManualClock(), random: systemRandomSource }
  await registerKeys(parts, 'encryption', keyRing([['0', OLD]]))
  await registerKeys(parts, 'pepper', keyRing([['0', SECRETS.API_KEY_PEPPER]]))
  await loadServiceSecrets(parts, keyRing([['0', OLD]]))
}

const check = (env: Record<string, string>) =>
  checkStoredValues(env.DATABASE_URL ?? database.url, readConfig({ ...SECRETS, DATABASE_URL: database.url, ...env }))
const readKms = (env: Record<string, string>) =>
  readConfig({ ...SECRETS, DATABASE_URL: database.url, ...env }).encryptionKms!
const state = () => database.db.selectFrom('secret_keys').selectAll().orderBy('kind').execute()

test('keys that open every stored value are one line, and nothing is written', async () => {
  await firstStart()
  const before = await state()
  expect(await check({ ENCRYPTION_KEY: OLD })).toEqual([ok('the encryption keys decrypt every stored value (0: 4)')])
  expect(await check({ ENCRYPTION_KEYS: `b:${NEXT},0:${OLD}` })).toEqual([
    ok('the encryption keys decrypt every stored value (b: 0, 0: 4)'),
  ])
  expect(await state()).toEqual(before)
})

test('a key that is missing, another key under its id, and a generated one are problems', async () => {
  await firstStart()
  expect(await check({ ENCRYPTION_KEYS: `b:${NEXT}` })).toEqual([
    problem('ENCRYPTION_KEYS lacks the key 0: 4 stored values need it', REMEDY),
  ])
  const another = problem(
    'ENCRYPTION_KEYS has a different key than before under the id 0: 4 stored values need it',
    REMEDY,
  )
  expect(await check({ ENCRYPTION_KEY: NEXT })).toEqual([another])
  expect(await check({})).toEqual([another])
})

test('a key that no table of keys knows any longer is found by the values that name it', async () => {
  await firstStart()
  await database.db.deleteFrom('secret_keys').execute()
  expect(await check({ ENCRYPTION_KEYS: `b:${NEXT}` })).toEqual([
    problem('ENCRYPTION_KEYS lacks the key 0: 4 stored values need it', REMEDY),
  ])
})

test('a pepper that keys are hashed under is a warning', async () => {
  await firstStart()
  const { id } = await database.db
    .insertInto('organizations')
    .values({ name: 'Acme', created_at: new Date(0) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await database.db
    .insertInto('api_keys')
    .values({
      organization_id: id,
      name: 'Backend',
      scope: 'organization',
      key_hash: Buffer.from('x'),
      preview: '…',
      created_at: new Date(0),
    })
    .execute()
  const env = { ENCRYPTION_KEY: OLD, API_KEY_PEPPER: '', API_KEY_PEPPERS: `c:${'q'.repeat(32)}` }
  expect((await check(env)).slice(1)).toEqual([
    warning(
      'API_KEY_PEPPERS lacks the pepper 0: 1 API keys, sessions and recovery codes do not work',
      'restore it, unless they were meant to end (docs/secrets.md)',
    ),
  ])
})

test('a database without tables leaves the question open, and one that does not respond is a problem', async () => {
  const { url, drop } = await emptyDatabase()
  onTestFinished(drop)
  const open = 'whether the keys decrypt what the database holds'
  expect(await check({ DATABASE_URL: url })).toEqual([skipped(`${open}: the first start creates its tables`)])
  expect(await check({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })).toEqual([
    problem(`could not check ${open}: connect ECONNREFUSED 127.0.0.1:1`, 'solve this, and check again'),
  ])
})

test('AWS KMS must generate a data key before the first start, and open the stored one after it', async () => {
  for (const [name, value] of Object.entries(KEY_SERVICE_ENV)) vi.stubEnv(name, value)
  const kms = await startKeyService('alias/weir')
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await kms.close()
  })
  const env = { ENCRYPTION_KEY: OLD, ENCRYPTION_KMS_KEY_ID: 'alias/weir', AWS_ENDPOINT_URL_KMS: kms.url }
  expect(await check(env)).toEqual([ok('AWS KMS generates data keys with alias/weir; the first start stores one')])
  expect(await state()).toEqual([])
  kms.failure = 'AccessDeniedException'
  expect(await check(env)).toMatchObject([
    { status: 'problem', message: expect.stringContaining('AWS KMS refused to generate a data key with alias/weir') },
  ])

  kms.failure = undefined
  await createFirstDataKey(
    { db: database.db, clock: new ManualClock(), service: await connectAwsKms(readKms(env)) },
    SEALED_COLUMNS,
  )
  expect(await check(env)).toEqual([ok('the encryption keys decrypt every stored value (kms-1: 0, 0: 0)')])
  kms.failure = 'AccessDeniedException'
  expect(await check(env)).toMatchObject([
    { status: 'problem', message: expect.stringContaining('AWS KMS refused to unwrap the data key kms-1') },
  ])
})
