import { sql } from 'kysely'
import { type Database, inTransaction } from '../database/index.ts'
import { createSealer, type KeyRing, type RandomSource, RESEAL_BATCH, type Sealer } from '../kernel/index.ts'
import { hasSealedValue, type SealedColumn, sealingKeyIdSql } from './sealed-column.ts'
import { type SealedPlace, walkSealedValues } from './walk-sealed-values.ts'

export interface ResealParts {
  readonly db: Database
  readonly random: RandomSource
}

/** What happened to the values of one column. */
export interface ResealProgress {
  readonly column: string
  readonly resealed: number
  /** Values that do not open: damaged, or in a different row than their own. They stay. */
  readonly unreadable: number
}

type Row = Readonly<Record<string, unknown>> & { readonly sealed_value: Buffer }

/**
 * Seals every stored value again that a different key than the current one sealed, in batches, each in a transaction of its
 * own. It can be interrupted and started again, and runs next to the service: a value that changes meanwhile is left to
 * the next pass. Yields after each batch and each column.
 */
export async function* resealValues(
  parts: ResealParts,
  ring: KeyRing,
  columns: readonly SealedColumn[],
): AsyncGenerator<ResealProgress> {
  for (const column of columns) {
    const sealer = createSealer(ring, column.purpose, parts.random)
    let [resealed, unreadable] = [0, 0]
    const progress = () => ({ column: `${column.table}.${column.column}`, resealed, unreadable })
    for await (const places of walkSealedValues(parts.db, column, (id) => sql`${id} <> ${ring.currentId}`)) {
      for (let from = 0; from < places.length; from += RESEAL_BATCH) {
        const batch = places.slice(from, from + RESEAL_BATCH)
        const rows = await readBatch(parts.db, { column, currentId: ring.currentId, places: batch })
        const done = await resealBatch(parts.db, { column, sealer, rows })
        resealed += done.resealed
        unreadable += done.unreadable
        yield progress()
      }
    }
    yield progress()
  }
}

async function readBatch(
  db: Database,
  {
    column: { table, column, key, reads = [] },
    currentId,
    places,
  }: { readonly column: SealedColumn; readonly currentId: string; readonly places: readonly SealedPlace[] },
): Promise<Row[]> {
  const selected = sql.join([...new Set([...key, ...reads])].map((name) => sql.ref(name)))
  const keys = places.map((place) => sql`(${sql.join(key.map((name) => sql`${place[name]}`))})`)
  const { rows } = await sql<Row>`
    select ${selected}, ${sql.ref(column)} as sealed_value from ${sql.table(table)}
    where ${hasSealedValue(column)} and ${sealingKeyIdSql(column)} <> ${currentId}
      and (${sql.join(key.map((name) => sql.ref(name)))}) in (${sql.join(keys)})
  `.execute(db)
  return rows
}

async function resealBatch(
  db: Database,
  { column, sealer, rows }: { readonly column: SealedColumn; readonly sealer: Sealer; readonly rows: readonly Row[] },
): Promise<{ resealed: number; unreadable: number }> {
  let [resealed, unreadable] = [0, 0]
  if (rows.length === 0) return { resealed, unreadable }
  await inTransaction(db, async (tx) => {
    for (const row of rows) {
      const fresh = sealAgain(sealer, row.sealed_value, column.label(row))
      if (fresh === undefined) {
        unreadable += 1
        continue
      }
      const isRow = sql.join(
        column.key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
        sql` and `,
      )
      const { numAffectedRows = 0n } = await sql`
        update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${fresh}
        where ${isRow} and ${sql.ref(column.column)} = ${row.sealed_value}
      `.execute(tx)
      resealed += Number(numAffectedRows)
    }
  })
  return { resealed, unreadable }
}

function sealAgain(sealer: Sealer, sealed: Uint8Array, label: string): Buffer | undefined {
  try {
    return sealer.seal(sealer.open(sealed, label), label)
  } catch {
    return undefined
  }
}
