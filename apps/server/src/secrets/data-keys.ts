import { sql } from 'kysely'
import { type Database, inTransaction } from '../database/index.ts'
import type { Clock } from '../kernel/index.ts'
import { findSealingKeys } from './find-sealing-keys.ts'
import { type KeyService, KeyServiceError } from './key-service.ts'
import { fingerprintOf } from './register-keys.ts'
import type { SealedColumn } from './sealed-column.ts'

interface DataKeyParts {
  readonly db: Database
  readonly clock: Clock
  readonly service: KeyService
}

/** The data keys that the key service opened. */
export interface OpenedDataKeys {
  /** By id, the current one first; 64 hexadecimal digits each. */
  readonly keys: readonly (readonly [id: string, key: string])[]
  /** Older ones that the key service refuses to open, and that values may need. */
  readonly refused: readonly { readonly id: string; readonly reason: string }[]
}

/** `kms-1`, `kms-2` ...: processes that create the next data key at once insert the same row. */
const DATA_KEY_ID = /^kms-([1-9]\d{0,8})$/

export function isDataKeyId(id: string): boolean {
  return DATA_KEY_ID.test(id)
}

/**
 * Creates the first data key, which is current, unless the database has one. After a way back to local keys that retired
 * all, the next one is a first one again: the key service may no longer unwrap those. Throws if values are sealed under a
 * data key that the database lost: another key under its id would not open them.
 */
export async function createFirstDataKey(parts: DataKeyParts, columns: readonly SealedColumn[]): Promise<void> {
  const stored = await storedDataKeys(parts.db)
  if (stored.some((row) => !row.is_retired)) return
  const newest = newestOf(stored)
  if (newest === undefined) {
    const lost = await findSealingKeys(parts, columns, (id) => sql`${id} ~ ${DATA_KEY_ID.source}`)
    if (lost !== undefined && lost.length > 0) {
      throw new KeyServiceError(`secret_keys lacks the data key ${lost.join(', ')}: restore it from a backup`, true)
    }
  }
  await insertDataKey(parts, newest === undefined ? 1 : numberOf(newest) + 1, true)
}

/**
 * Opens every stored data key. Throws if the key service cannot be reached or refuses the current one. An older one
 * that it refuses is reported: stored values may not need it.
 */
export async function openDataKeys({ db, service }: Omit<DataKeyParts, 'clock'>): Promise<OpenedDataKeys> {
  const rows = await storedDataKeys(db)
  if (rows.length === 0) throw new KeyServiceError('no data key is stored: start the service once', true)
  if (rows.filter((row) => row.is_current).length !== 1) {
    throw new KeyServiceError('secret_keys must have one current data key: restore it from a backup', true)
  }
  const keys: (readonly [string, string])[] = []
  const refused: { id: string; reason: string }[] = []
  for (const row of rows) {
    try {
      keys.push([row.id, await openDataKey(service, row)])
    } catch (error) {
      if (!(error instanceof KeyServiceError) || !error.isFinal || row.is_current) throw error
      if (!row.is_retired) refused.push({ id: row.id, reason: error.message })
    }
  }
  return { keys, refused }
}

/**
 * Stores the next data key, which only opens values until {@link useDataKey}: every process can read it from its next
 * start on. Returns its id, or `undefined` if the newest is not yet in use. One that the key service refuses, because its
 * key there is gone, never will be.
 */
export async function addDataKey(parts: DataKeyParts): Promise<string | undefined> {
  const newest = newestOf(await storedDataKeys(parts.db))
  if (newest === undefined) return undefined
  if (!newest.is_current && (await refusalOf(parts.service, newest)) === undefined) return undefined
  return await insertDataKey(parts, numberOf(newest) + 1, false)
}

/**
 * Makes the newest data key the current one, from each process's next start on. Returns its id. Throws if the key
 * service does not open it. It need not open the others: the key of the current one may be gone.
 */
export async function useDataKey({ db, service }: Omit<DataKeyParts, 'clock'>): Promise<string> {
  const newest = newestOf(await storedDataKeys(db))
  if (newest === undefined) throw new KeyServiceError('no data key is stored: start the service once', true)
  await openDataKey(service, newest)
  await makeCurrent(db, newest.id)
  return newest.id
}

/** The key service's final refusal to open a data key, if it refuses. */
async function refusalOf(service: KeyService, row: StoredDataKey): Promise<KeyServiceError | undefined> {
  try {
    await openDataKey(service, row)
    return undefined
  } catch (error) {
    if (error instanceof KeyServiceError && error.isFinal) return error
    throw error
  }
}

async function openDataKey(service: KeyService, { id, wrapped, fingerprint }: StoredDataKey): Promise<string> {
  const key = await service.unwrap(wrapped, id)
  if (fingerprint.equals(fingerprintOf('encryption', key))) return key
  throw new KeyServiceError(`the data key in secret_keys under the id ${id} has changed`, true)
}

async function makeCurrent(db: Database, id: string): Promise<void> {
  await db
    .updateTable('secret_keys')
    .set({ is_current: sql<boolean>`id = ${id}`, is_retired: sql<boolean>`is_retired and id <> ${id}` })
    .where('kind', '=', 'encryption')
    .where('wrapped', 'is not', null)
    .execute()
}

/** If another process inserts it first, its data key stays and ours is dropped, before anything is sealed with it. */
async function insertDataKey(
  { db, clock, service }: DataKeyParts,
  number: number,
  isCurrent: boolean,
): Promise<string | undefined> {
  const id = `kms-${number}`
  const { key, wrapped, wrappedBy } = await service.generate(id)
  return await inTransaction(db, async (tx) => {
    const { numInsertedOrUpdatedRows = 0n } = await tx
      .insertInto('secret_keys')
      .values({
        kind: 'encryption',
        id,
        fingerprint: fingerprintOf('encryption', key),
        registered_at: clock.now(),
        wrapped,
        wrapped_by: wrappedBy,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 0n) return undefined
    if (isCurrent) await makeCurrent(tx, id)
    return id
  })
}

interface StoredDataKey {
  readonly id: string
  readonly fingerprint: Buffer
  readonly wrapped: Buffer
  readonly is_current: boolean
  readonly is_retired: boolean
}

/** The current one first. */
async function storedDataKeys(db: Database): Promise<StoredDataKey[]> {
  const rows = await db
    .selectFrom('secret_keys')
    .select(['id', 'fingerprint', 'wrapped', 'is_current', 'is_retired'])
    .where('kind', '=', 'encryption')
    .where('wrapped', 'is not', null)
    .$narrowType<{ wrapped: Buffer }>()
    .orderBy('is_current', 'desc')
    .orderBy('registered_at')
    .execute()
  return rows.filter(({ id }) => isDataKeyId(id))
}

function newestOf(rows: readonly StoredDataKey[]): StoredDataKey | undefined {
  return [...rows].sort((one, other) => numberOf(one) - numberOf(other)).at(-1)
}

function numberOf({ id }: { readonly id: string }): number {
  return Number(DATA_KEY_ID.exec(id)?.[1])
}
