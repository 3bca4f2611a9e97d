import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { emptyDatabase } from '../../../testing/index.ts'
import { KEY_SERVICE_ENV, type KeyService, startKeyService } from '../../../testing/stand-ins/key-service.ts'
import { loadKeyRings, readConfig } from '../../config.ts'
import { migrate, type OpenDatabase, openDatabase } from '../../database/index.ts'
import { ManualClock, silentLog, systemRandomSource } from '../../kernel/index.ts'
import { loadServiceSecrets } from '../../secrets/index.ts'
import { rotateSecrets } from '../commands/rotate-secrets-command.ts'
import { checkKeys } from './check-keys.ts'
import { openKeyRings } from './key-rings.ts'

const SECRET = 'x'.repeat(32)
let kms: KeyService
let url: string
let drop: () => Promise<void>
let opened: OpenDatabase
beforeAll(async () => {
  for (const [name, value] of Object.entries(KEY_SERVICE_ENV)) vi.stubEnv(name, value)
  kms = await startKeyService('alias/weir')
  ;({ url, drop } = await emptyDatabase())
  opened = openDatabase({ url, log: silentLog, max: 2 })
  await migrate(opened.db, silentLog)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await kms?.close()
  await opened?.close()
  await drop?.()
})

const LIVE = () => ({
  SERVICE_ENV: 'live',
  POLYGON_RPC_URL: 'https://a.example',
  DATABASE_URL: `${url}?sslmode=disable`,
  JWT_SECRET: SECRET,
  API_KEY_PEPPER: SECRET,
})
const OLD = { ENCRYPTION_KEY: 'ab'.repeat(32) }
const KMS = () => ({ ENCRYPTION_KMS_KEY_ID: 'alias/weir', AWS_ENDPOINT_URL_KMS: kms.url })

/** Opens the rings as a start does. Returns the line that names them, and the secrets under them. */
async function start(env: Record<string, string>, mayCreate = true) {
  const config = readConfig({ ...LIVE(), ...env })
  const said: string[] = []
  const parts = { db: opened.db, clock: new ManualClock(), log: silentLog, random: systemRandomSource }
  const rings = await openKeyRings(parts, loadKeyRings(config), { kms: config.encryptionKms, mayCreate })
  await checkKeys({ ...parts, say: (line) => said.push(line) }, rings)
  return { line: said[0], service: await loadServiceSecrets(parts, rings.encryption) }
}
async function rotate(env: Record<string, string>, ...args: string[]): Promise<string[]> {
  const lines: string[] = []
  expect(await rotateSecrets({ ...LIVE(), ...env }, args, (line) => lines.push(line))).toMatchObject({ isWhole: true })
  return lines
}

test('an installation moves from ENCRYPTION_KEY to KMS, replaces its data key, and keeps every value', async () => {
  const { service } = await start(OLD)
  await expect(start({ ...OLD, ...KMS() }, false)).rejects.toMatchObject({
    problems: ['ENCRYPTION_KMS_KEY_ID: no data key is stored: start the service once'],
  })
  expect(await start({ ...OLD, ...KMS() })).toEqual({
    line: 'keys: encryption kms-1 (and 0 to read); pepper 0; access tokens 0',
    service,
  })
  await expect(start(KMS())).rejects.toMatchObject({
    problems: ['ENCRYPTION_KEYS lacks the key 0: stored values need it (docs/secrets.md)'],
  })
  expect(await rotate({ ...OLD, ...KMS() })).toContain('encryption  kms-1  4 (current)')
  expect(await start(KMS())).toEqual({ line: 'keys: encryption kms-1; pepper 0; access tokens 0', service })
  await expect(start(OLD)).rejects.toMatchObject({
    problems: ['ENCRYPTION_KMS_KEY_ID lacks the key kms-1: stored values need it (docs/secrets.md)'],
  })

  expect(await rotate(KMS(), '--new-data-key')).toEqual([
    'data key kms-2 is stored: restart all processes, then run weir rotate-secrets --use-data-key',
  ])
  expect(await rotate(KMS(), '--new-data-key')).toEqual([
    'the newest data key is not in use yet: restart all processes, then run weir rotate-secrets --use-data-key',
  ])
  expect((await start(KMS())).line).toContain('encryption kms-1 (and kms-2 to read)')
  expect(await rotate(KMS(), '--use-data-key')).toEqual([
    'data key kms-2 is current: restart all processes, then run weir rotate-secrets',
  ])
  expect((await start(KMS())).line).toContain('encryption kms-2 (and kms-1 to read)')
  const table = await rotate(KMS())
  expect(table).toContain('encryption  kms-2  4 (current)')
  expect(table).toContain('encryption  kms-1  0')
  expect((await start(KMS())).service).toEqual(service)
})

test('an installation moves back from KMS to ENCRYPTION_KEYS, keeps every value, and may return', async () => {
  const { service } = await start(KMS())
  const LOCAL = { ENCRYPTION_KEYS: `l:${'ef'.repeat(32)}` }
  const back = { ...KMS(), ...LOCAL, ENCRYPTION_KMS_SEALS: '0' }
  expect(await start({ ...KMS(), ...LOCAL })).toEqual({
    line: 'keys: encryption kms-2 (and kms-1, l to read); pepper 0; access tokens 0',
    service,
  })
  expect(await start(back)).toEqual({
    line: 'keys: encryption l (and kms-2, kms-1 to read); pepper 0; access tokens 0',
    service,
  })
  await expect(start(LOCAL)).rejects.toMatchObject({
    problems: ['ENCRYPTION_KMS_KEY_ID lacks the key kms-2: stored values need it (docs/secrets.md)'],
  })
  const table = await rotate(back)
  expect(table).toContain('encryption  l      4 (current)')
  expect(table).toContain('encryption  kms-2  0')
  expect(await start(LOCAL)).toEqual({ line: 'keys: encryption l; pepper 0; access tokens 0', service })

  expect((await start({ ...KMS(), ...LOCAL })).service).toEqual(service)
  await rotate({ ...KMS(), ...LOCAL })
  expect((await start(KMS())).service).toEqual(service)
})

test('live requires a local key where KMS only opens', () => {
  expect(() => readConfig({ ...LIVE(), ...KMS(), ENCRYPTION_KMS_SEALS: '0' })).toThrow('ENCRYPTION_KEY')
})

test('a KMS that refuses or is gone is one line that names the setting', async () => {
  kms.failure = 'AccessDeniedException'
  await expect(start(KMS())).rejects.toMatchObject({
    problems: [
      'ENCRYPTION_KMS_KEY_ID: AWS KMS refused to unwrap the data key kms-3 with alias/weir: AccessDeniedException: the stand-in says so',
    ],
  })
  kms.failure = undefined
  const gone = await startKeyService()
  await gone.close()
  await expect(start({ ...KMS(), AWS_ENDPOINT_URL_KMS: gone.url })).rejects.toMatchObject({
    problems: [expect.stringMatching(/^ENCRYPTION_KMS_KEY_ID: AWS KMS could not unwrap the data key kms-3 .*REFUSED/)],
  })
})

test('a configured key does not take the id of a data key', async () => {
  const ENCRYPTION_KEYS = `kms-2:${'cd'.repeat(32)}`
  await expect(start({ ...KMS(), ENCRYPTION_KEYS })).rejects.toMatchObject({
    problems: ['ENCRYPTION_KEYS must not use the id kms-2: data keys have it'],
  })
})

test('a data key cannot be replaced without KMS', async () => {
  await expect(rotate(OLD, '--new-data-key')).rejects.toThrow('ENCRYPTION_KMS_KEY_ID must be set for --new-data-key')
})
