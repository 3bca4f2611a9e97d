import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/index.ts'
import { KEY_SERVICE_ENV, type KeyService, startKeyService } from '../../testing/stand-ins/key-service.ts'
import { keyRing, ManualClock, systemRandomSource } from '../kernel/index.ts'
import { connectAwsKms } from './aws-kms.ts'
import { addDataKey, createFirstDataKey, openDataKeys, useDataKey } from './data-keys.ts'
import { unregisterKey } from './register-keys.ts'
import { loadServiceSecrets, SERVICE_SECRETS_COLUMN } from './service-secrets.ts'

const ALIAS = 'alias/weir'
let database: TestDatabase
let kms: KeyService
beforeAll(async () => {
  database = await testDatabase()
  for (const [name, value] of Object.entries(KEY_SERVICE_ENV)) vi.stubEnv(name, value)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await database?.close()
})
beforeEach(async () => {
  kms = await startKeyService(ALIAS)
  await database.db.deleteFrom('secret_keys').execute()
  await database.db.deleteFrom('service_secrets').execute()
})
afterEach(() => kms.close())

async function parts({ keyIds = [ALIAS], installation = 'one' } = {}) {
  const service = await connectAwsKms({ keyIds, installation, endpoint: kms.url })
  return { db: database.db, clock: new ManualClock(), service }
}
async function start(options: Parameters<typeof parts>[0] = {}) {
  const all = await parts(options)
  await createFirstDataKey(all, [SERVICE_SECRETS_COLUMN])
  return await openDataKeys(all)
}
const rows = () => database.db.selectFrom('secret_keys').selectAll().orderBy('id').execute()
const change = (id: string, values: { wrapped?: Buffer; fingerprint?: Buffer; is_current?: boolean }) =>
  database.db.updateTable('secret_keys').set(values).where('id', '=', id).execute()

test('the first start stores a wrapped data key, and later ones open the same, each under its context', async () => {
  const first = await start()
  expect(first).toEqual({ keys: [['kms-1', expect.stringMatching(/^[0-9a-f]{64}$/)]], refused: [] })
  expect(await start()).toEqual(first)
  expect(kms.calls).toEqual(['GenerateDataKey', 'Decrypt', 'Decrypt'])
  expect(kms.contexts).toEqual(Array(3).fill({ service: 'weir', installation: 'one', key: 'kms-1' }))
  const [row, ...others] = await rows()
  expect(others).toEqual([])
  expect(row).toMatchObject({ is_current: true, wrapped_by: expect.stringContaining(`arn:aws:kms:`) })
  expect(row!.wrapped!.includes(Buffer.from(first.keys[0]![1], 'hex'))).toBe(false)
})

test('two starts at once on a new database agree on one data key', async () => {
  let [arrived, release] = [0, () => {}]
  const both = new Promise<void>((resolve) => {
    release = resolve
  })
  kms.before = async (operation) => {
    if (operation !== 'GenerateDataKey') return
    arrived += 1
    if (arrived === 2) release()
    await both
  }
  const [one, other] = await Promise.all([start(), start()])
  expect(arrived).toBe(2)
  expect(one).toEqual(other)
  expect(await rows()).toHaveLength(1)
})

test('another installation with the same KMS key is refused', async () => {
  await start()
  await expect(start({ installation: 'two' })).rejects.toThrow(
    'AWS KMS refused to unwrap the data key kms-1 with alias/weir: InvalidCiphertextException',
  )
})

test('a tampered wrapped key is refused, wherever a byte changed', async () => {
  await start()
  const { wrapped } = (await rows())[0]!
  for (const at of [8, 20, 36, wrapped!.length - 1]) {
    const changed = Buffer.from(wrapped!)
    changed[at]! ^= 1
    await change('kms-1', { wrapped: changed })
    await expect(start()).rejects.toMatchObject({
      isFinal: true,
      message: expect.stringContaining('InvalidCiphertextException'),
    })
  }
})

test('a data key that another KMS key wrapped is refused: the service names the key that must have wrapped it', async () => {
  kms.keys.set('alias/theirs', Buffer.alloc(32, 7))
  await start({ keyIds: ['alias/theirs'] })
  await expect(start()).rejects.toMatchObject({
    isFinal: true,
    message: expect.stringContaining('IncorrectKeyException'),
  })
})

test('one data key does not take the place of another', async () => {
  const all = await parts()
  await start()
  await addDataKey(all)
  const [one, two] = await rows()
  await change('kms-1', { wrapped: two!.wrapped!, fingerprint: two!.fingerprint })
  await change('kms-2', { wrapped: one!.wrapped!, fingerprint: one!.fingerprint })
  await expect(start()).rejects.toThrow(/InvalidCiphertextException/)
})

test('a data key that is not the registered one is refused', async () => {
  await start()
  await change('kms-1', { fingerprint: Buffer.alloc(32) })
  await expect(start()).rejects.toThrow('the data key in secret_keys under the id kms-1 has changed')
})

test('a lost data key is not replaced while values are sealed under it', async () => {
  const { keys } = await start()
  await loadServiceSecrets({ ...(await parts()), random: systemRandomSource }, keyRing(keys))
  await database.db.deleteFrom('secret_keys').execute()
  await expect(start()).rejects.toThrow('secret_keys lacks the data key kms-1: restore it from a backup')
  expect(await rows()).toEqual([])
})

test('without a current data key nothing opens', async () => {
  await start()
  await change('kms-1', { is_current: false })
  await expect(start()).rejects.toThrow('secret_keys must have one current data key')
})

test.each(['AccessDeniedException', 'DisabledException', 'KMSInvalidStateException', 'NotFoundException'])(
  'KMS refuses with %s: nothing is stored, and the start says why',
  async (failure) => {
    kms.failure = failure
    await expect(start()).rejects.toMatchObject({
      isFinal: true,
      message: `AWS KMS refused to generate a data key with alias/weir: ${failure}: the stand-in says so`,
    })
    expect(await rows()).toEqual([])
  },
)

test('the next data key opens values first and seals once it is in use; the old one stays to read', async () => {
  const all = await parts()
  const [[, one] = []] = (await start()).keys
  expect(await addDataKey(all)).toBe('kms-2')
  expect(await addDataKey(all)).toBeUndefined()
  expect((await start()).keys.map(([id]) => id)).toEqual(['kms-1', 'kms-2'])
  expect(await useDataKey(all)).toBe('kms-2')
  const { keys } = await start()
  expect(keys.map(([id]) => id)).toEqual(['kms-2', 'kms-1'])
  expect(keys[1]![1]).toBe(one)
  expect(keys[0]![1]).not.toBe(one)
})

test('the next data key is not used while KMS refuses to open it', async () => {
  const all = await parts()
  await start()
  await addDataKey(all)
  await change('kms-2', { wrapped: (await rows())[0]!.wrapped! })
  await expect(useDataKey(all)).rejects.toThrow('unwrap the data key kms-2')
  expect((await rows()).map(({ is_current }) => is_current)).toEqual([true, false])
})

test('a new KMS key wraps the next data key while the old one still opens its own', async () => {
  kms.keys.set('alias/new', Buffer.alloc(32, 9))
  const all = await parts({ keyIds: ['alias/new', ALIAS] })
  await start()
  await addDataKey(all)
  await useDataKey(all)
  expect((await start({ keyIds: ['alias/new', ALIAS] })).keys.map(([id]) => id)).toEqual(['kms-2', 'kms-1'])
  expect(await start({ keyIds: ['alias/new'] })).toMatchObject({
    keys: [['kms-2', expect.anything()]],
    refused: [{ id: 'kms-1', reason: expect.stringContaining('IncorrectKeyException') }],
  })
  expect((await rows()).map((row) => row.wrapped_by?.split(':').at(-1))).toEqual([ALIAS, 'alias/new'])
})

test('where the KMS key of the current data key is gone, another KMS key wraps the next one, which replaces it', async () => {
  await start()
  kms.keys.set('alias/new', Buffer.alloc(32, 9))
  const all = await parts({ keyIds: ['alias/new'] })
  await expect(openDataKeys(all)).rejects.toThrow('unwrap the data key kms-1')
  expect(await addDataKey(all)).toBe('kms-2')
  expect(await useDataKey(all)).toBe('kms-2')
  expect(await start({ keyIds: ['alias/new'] })).toMatchObject({
    keys: [['kms-2', expect.anything()]],
    refused: [{ id: 'kms-1' }],
  })
})

test('a next data key whose KMS key is gone before its use does not stand in the way of another', async () => {
  kms.keys.set('alias/gone', Buffer.alloc(32, 7))
  await start()
  expect(await addDataKey(await parts({ keyIds: ['alias/gone'] }))).toBe('kms-2')
  const all = await parts()
  expect(await addDataKey(all)).toBe('kms-3')
  expect(await useDataKey(all)).toBe('kms-3')
})

test('a return to KMS after the way back to local keys begins with another data key, whatever became of the first', async () => {
  await start()
  await unregisterKey(database.db, 'encryption', 'kms-1')
  kms.keys.set('alias/new', Buffer.alloc(32, 9))
  expect(await start({ keyIds: ['alias/new'] })).toEqual({ keys: [['kms-2', expect.anything()]], refused: [] })
  expect((await start({ keyIds: ['alias/new', ALIAS] })).keys.map(([id]) => id)).toEqual(['kms-2', 'kms-1'])
})
