import { sql } from 'kysely'
import type { Database } from '../database/index.ts'
import type { Clock } from '../kernel/index.ts'
import { countSealedValues } from './count-sealed-values.ts'
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
  /** Older ones that the key service refuses to open. */
  readonly refused: readonly { readonly id: string; readonly reason: string }[]
}

/** `kms-1`, `kms-2` ...: processes that create the next data key at once insert the same row. */
const DATA_KEY_ID = /^kms-([1-9]\d{0,8})$/

export function isDataKeyId(id: string): boolean {
  return DATA_KEY_ID.test(id)
}

/**
 * Creates the first data key, which is current, unless the database has one. Throws if values are sealed under a data
 * key that the database lost: another key under its id would not open them.
 */
export async function createFirstDataKey(parts: DataKeyParts, columns: readonly SealedColumn[]): Promise<void> {
  if ((await storedDataKeys(parts.db)).length > 0) return
  const lost = [...(await countSealedValues(parts.db, columns)).keys()].filter(isDataKeyId)
  if (lost.length > 0) {
    throw new KeyServiceError(`secret_keys lacks the data key ${lost.join(', ')}: restore it from a backup`, true)
  }
  await insertDataKey(parts, 1, true)
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
  for (const { id, wrapped, fingerprint, is_current } of rows) {
    try {
      const key = await service.unwrap(wrapped, id)
      if (!fingerprint.equals(fingerprintOf('encryption', key))) {
        throw new KeyServiceError(`the data key in secret_keys under the id ${id} has changed`, true)
      }
      keys.push([id, key])
    } catch (error) {
      if (!(error instanceof KeyServiceError) || !error.isFinal || is_current) throw error
      refused.push({ id, reason: error.message })
    }
  }
  return { keys, refused }
}

/**
 * Stores the next data key, which only opens values until {@link useDataKey}: every process can read it from its next
 * start on. Returns its id, or `undefined` if the newest is not yet in use.
 */
export async function addDataKey(parts: DataKeyParts): Promise<string | undefined> {
  const newest = newestOf(await storedDataKeys(parts.db))
  if (newest === undefined || !newest.is_current) return undefined
  const number = Number(DATA_KEY_ID.exec(newest.id)?.[1]) + 1
  return await insertDataKey(parts, number, false)
}

/**
 * Makes the newest data key the current one, from each process's next start on. Returns its id. Throws if the key
 * service does not open it.
 */
export async function useDataKey({ db, service }: Omit<DataKeyParts, 'clock'>): Promise<string> {
  const { keys, refused } = await openDataKeys({ db, service })
  const newest = newestOf([...keys.map(([id]) => ({ id })), ...refused])
  const reason = refused.find(({ id }) => id === newest?.id)?.reason
  if (newest === undefined || reason !== undefined) throw new KeyServiceError(reason ?? 'no data key is stored', true)
  await db
    .updateTable('secret_keys')
    .set({ is_current: sql<boolean>`id = ${newest.id}` })
    .where('kind', '=', 'encryption')
    .where('wrapped', 'is not', null)
    .execute()
  return newest.id
}

/** If another process inserts it first, its data key stays and ours is dropped, before anything is sealed with it. */
async function insertDataKey(
  { db, clock, service }: DataKeyParts,
  number: number,
  isCurrent: boolean,
): Promise<string | undefined> {
  const id = `kms-${number}`
  const { key, wrapped, wrappedBy } = await service.generate(id)
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('secret_keys')
    .values({
      kind: 'encryption',
      id,
      fingerprint: fingerprintOf('encryption', key),
      registered_at: clock.now(),
      wrapped,
      wrapped_by: wrappedBy,
      is_current: isCurrent,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n ? id : undefined
}

/** The current one first. */
async function storedDataKeys(db: Database) {
  const rows = await db
    .selectFrom('secret_keys')
    .select(['id', 'fingerprint', 'wrapped', 'is_current'])
    .where('kind', '=', 'encryption')
    .where('wrapped', 'is not', null)
    .$narrowType<{ wrapped: Buffer }>()
    .orderBy('is_current', 'desc')
    .orderBy('registered_at')
    .execute()
  return rows.filter(({ id }) => isDataKeyId(id))
}

function newestOf<Row extends { readonly id: string }>(rows: readonly Row[]): Row | undefined {
  const numberOf = ({ id }: Row) => Number(DATA_KEY_ID.exec(id)?.[1])
  return [...rows].sort((one, other) => numberOf(one) - numberOf(other)).at(-1)
}
