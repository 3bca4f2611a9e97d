import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError, loadKeyRings } from '../../../server/src/config.ts'
import { type Database, openDatabase } from '../../../server/src/database/index.ts'
import { silentLog, systemClock } from '../../../server/src/kernel/index.ts'
import { describeKeyGap } from '../../../server/src/main/keys/describe-key-gap.ts'
import { type KeyRings, openKeyRings } from '../../../server/src/main/keys/key-rings.ts'
import { SEALED_COLUMNS } from '../../../server/src/main/keys/sealed-columns.ts'
import {
  connectAwsKms,
  countHashes,
  countSealedValues,
  findKeyGaps,
  KeyServiceError,
} from '../../../server/src/secrets/index.ts'
import { type Finding, ok, problem, skipped, warning } from './findings.ts'

const NOT_CHECKED = 'whether the keys decrypt what the database holds'
const RESTORE = 'restore that key under its id: without it nobody reads these values (docs/secrets.md)'
/** PostgreSQL's codes for a table and a column that do not exist. */
const [UNDEFINED_TABLE, UNDEFINED_COLUMN] = ['42P01', '42703']

/**
 * Checks that the keys of the settings are those under which the database holds values, and that AWS KMS opens its data
 * keys. Writes nothing.
 */
export async function checkStoredValues(url: string, config: Config): Promise<Finding[]> {
  const { db, close } = openDatabase({ url, log: silentLog, max: 2 })
  try {
    return await compare(db, config)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map((line) => problem(line, 'correct it (docs/secrets.md)'))
    if ([UNDEFINED_TABLE, UNDEFINED_COLUMN].includes(String((error as { code?: unknown }).code)))
      return [skipped(`${NOT_CHECKED}: migrations are pending; check again after them`)]
    // Where nobody can connect, the section on the database says why.
    const reason = error instanceof Error && error.message !== '' ? error.message : 'the database cannot be used'
    return [problem(`could not check ${NOT_CHECKED}: ${reason}`, 'solve this, and check again')]
  } finally {
    await close()
  }
}

async function compare(db: Database, config: Config): Promise<Finding[]> {
  const stored = await storedDataKeys(db)
  if (stored === undefined)
    return [skipped(`${NOT_CHECKED}: the first start creates its tables`), ...(await firstDataKey(config))]
  if (config.encryptionKms !== undefined && stored === 0) return await firstDataKey(config)
  const parts = { db, clock: systemClock, log: silentLog }
  const rings = await openKeyRings(parts, keysOf(config), { kms: config.encryptionKms, mayCreate: false })
  return [...(await sealedBy(db, rings)), ...(await hashedUnder(db, rings))]
}

/** How many data keys KMS wrapped; undefined in a database without tables. */
async function storedDataKeys(db: Database): Promise<number | undefined> {
  try {
    return (await db.selectFrom('secret_keys').select('id').where('wrapped', 'is not', null).execute()).length
  } catch (error) {
    if ((error as { code?: unknown }).code === UNDEFINED_TABLE) return undefined
    throw error
  }
}

/** Before the first start there is no data key: KMS must be able to generate one. */
async function firstDataKey({ encryptionKms: kms }: Config): Promise<Finding[]> {
  if (kms === undefined) return []
  const [keyId] = kms.keyIds
  try {
    // The generated key is dropped.
    await (await connectAwsKms(kms)).generate('kms-1')
    return [ok(`AWS KMS generates data keys with ${keyId}; the first start stores one`)]
  } catch (error) {
    if (!(error instanceof KeyServiceError)) throw error
    return [
      problem(
        `ENCRYPTION_KMS_KEY_ID: ${error.message}`,
        'check the key, its policy, and the credentials of the AWS SDK',
      ),
    ]
  }
}

/** As a start reads them; where it would generate some, others that nobody knows stand in for them. */
function keysOf(config: Config): ReturnType<typeof loadKeyRings> {
  const { secrets, dataDir } = config
  if (existsSync(join(dataDir, 'secrets.json'))) return loadKeyRings(config)
  const generated = () => randomBytes(32).toString('hex')
  const { jwt = generated(), pepper = generated(), encryption } = secrets
  const isWrapped = config.environment === 'live' && config.encryptionKms?.seals === true
  const sealing = encryption ?? (isWrapped ? undefined : generated())
  return loadKeyRings({ ...config, secrets: { jwt, pepper, encryption: sealing } })
}

/** By the ids that the sealed values name: a registered key may be lost with its table. */
async function sealedBy(db: Database, { encryption }: KeyRings): Promise<Finding[]> {
  const sealed = await countSealedValues(db, SEALED_COLUMNS)
  const gaps = await findKeyGaps(db, 'encryption', encryption)
  const unknown = [...sealed.keys()].filter((id) => !encryption.keys.has(id))
  const missing = [...new Set([...gaps.missing, ...unknown])]
  const problems = [...missing, ...gaps.different].flatMap((id) => {
    const amount = sealed.get(id) ?? 0
    return amount === 0 ? [] : [describeKeyGap(id, { ...gaps, missing }, amount)]
  })
  if (problems.length > 0) return problems.map((line) => problem(line.replace(' (docs/secrets.md)', ''), RESTORE))
  const counts = [...encryption.keys.keys()].map((id) => `${id}: ${sealed.get(id) ?? 0}`)
  return [ok(`the encryption keys decrypt every stored value (${counts.join(', ')})`)]
}

async function hashedUnder(db: Database, { pepper }: KeyRings): Promise<Finding[]> {
  const { missing, different } = await findKeyGaps(db, 'pepper', pepper)
  const lost = [...missing, ...different]
  if (lost.length === 0) return []
  const hashes = await countHashes(db)
  return lost.flatMap((id) => {
    const amount = hashes.get(id) ?? 0
    if (amount === 0) return []
    const message = `API_KEY_PEPPERS lacks the pepper ${id}: ${amount} API keys, sessions and recovery codes do not work`
    return [warning(message, 'restore it, unless they were meant to end (docs/secrets.md)')]
  })
}
