import type { CompiledQuery, RawBuilder } from 'kysely'
import type pg from 'pg'
import { assert } from '../kernel/index.ts'
import type { Tx } from './in-transaction.ts'
import type { Database } from './open-database.ts'

/** Names of statements by their text; every connection prepares those under their name when it first sends them. */
const STATEMENT_NAMES = new Map<string, { readonly name: string; readonly renewed: number }>()

/** The name under which a connection keeps this text prepared; `undefined`: it is parsed and planned each time. */
export function statementName(text: string): string | undefined {
  const known = STATEMENT_NAMES.get(text)
  return known && (known.renewed === 0 ? known.name : `${known.name} ${known.renewed}`)
}

/**
 * Whether a statement was refused because it brings other columns than when it was prepared: a newer process migrated
 * beside this one. It did nothing, and neither did the transaction that it was part of.
 */
export function isStaleStatement(error: unknown): boolean {
  // Its message is in the server's language, its code is that of many refusals.
  return error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery'
}

/** Pools under the databases that were opened on one. */
const POOLS = new WeakMap<Database | Tx, pg.Pool>()

/**
 * Sends named statements of this database straight to its pool. The query builder's way there is ten promises and a
 * copy of the result: half as much work again as all that `pg` does for a row read by its key.
 */
export function registerPool(db: Database, pool: pg.Pool): void {
  POOLS.set(db, pool)
}

/**
 * Runs a statement of the hot path by name: PostgreSQL parses and plans it once a connection, which otherwise costs more
 * than to execute it. Its text must be the same at every call, whatever the values are.
 */
export async function runPrepared<Row>(db: Database | Tx, name: string, statement: RawBuilder<Row>): Promise<Row[]> {
  const compiled = statement.compile(db)
  registerStatement(name, compiled.sql)
  return run(db, compiled)
}

/** Values for the places that a query was built with, by name. */
export type PreparedQuery<Row, Place extends string> = (
  db: Database | Tx,
  values: Readonly<Record<Place, unknown>>,
) => Promise<Row[]>

/**
 * The same for a query of the query builder, which is built and compiled at the first call only. `build` writes
 * `place('organizationId')` where a value comes later, and must not look at it; other values stay as they are.
 */
export function preparedQuery<Row, Place extends string>(
  name: string,
  build: (db: Database | Tx, place: (name: Place) => never) => { compile(): CompiledQuery<Row> },
): PreparedQuery<Row, Place> {
  let built: CompiledQuery<Row> | undefined
  return async (db, values) => {
    if (built === undefined) {
      built = build(db, (place) => new Placeholder(place) as never).compile()
      registerStatement(name, built.sql)
    }
    const parameters = built.parameters.map((value) =>
      value instanceof Placeholder ? values[value.name as Place] : value,
    )
    return run(db, { ...built, parameters })
  }
}

/**
 * In a transaction its connection is the only way. What is outdated is prepared anew; a transaction has failed by then,
 * and is begun again by whoever began it.
 */
async function run<Row>(db: Database | Tx, query: CompiledQuery<Row>): Promise<Row[]> {
  const pool = POOLS.get(db)
  try {
    if (pool === undefined) return (await db.executeQuery(query)).rows
    const named = { name: statementName(query.sql)!, text: query.sql, values: [...query.parameters] }
    const { rows } = await pool.query<Row & pg.QueryResultRow>(named)
    return rows
  } catch (error) {
    if (!isStaleStatement(error)) throw error
    const { name, renewed } = STATEMENT_NAMES.get(query.sql)!
    STATEMENT_NAMES.set(query.sql, { name, renewed: renewed + 1 })
    if (db.isTransaction) throw error
    return run(db, query)
  }
}

/** Stands for a value until there is one. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

function registerStatement(name: string, text: string): void {
  const known = STATEMENT_NAMES.get(text)
  assert(known === undefined || known.name === name, `one statement is called ${known?.name} and ${name}`)
  if (known === undefined) STATEMENT_NAMES.set(text, { name, renewed: 0 })
}
