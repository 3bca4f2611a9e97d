import type { CompiledQuery, RawBuilder } from 'kysely'
import type pg from 'pg'
import { assert } from '../../kernel/index.ts'
import type { Database, Tx } from '../handles.ts'

/** Statement names by text; every connection prepares those statements under their name on first use. */
const STATEMENT_NAMES = new Map<string, { readonly name: string; readonly renewed: number }>()

/** The name under which a connection prepares this text; `undefined`: it is parsed and planned each time. */
export function statementName(text: string): string | undefined {
  const registered = STATEMENT_NAMES.get(text)
  return registered && (registered.renewed === 0 ? registered.name : `${registered.name} ${registered.renewed}`)
}

/**
 * Whether a statement was refused because its columns changed since it was prepared: a newer process migrated
 * alongside. It did nothing, and neither did its transaction.
 */
export function isStaleStatement(error: unknown): boolean {
  // The message is in the server's language, and the code is shared with many other errors.
  return error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery'
}

/** The pools of the databases that were opened on one. */
const POOLS = new WeakMap<Database | Tx, pg.Pool>()

/**
 * Sends named statements of this database straight to its pool. Through the query builder they cost ten promises and a
 * copy of the result: half as much again as `pg` itself needs to read a row by its key.
 */
export function registerPool(db: Database, pool: pg.Pool): void {
  POOLS.set(db, pool)
}

/** Lets another handle on the same connections send its named statements to the pool, too. */
export function copyPool(from: Database, to: Database): void {
  const pool = POOLS.get(from)
  if (pool) POOLS.set(to, pool)
}

/**
 * Runs a statement of the hot path by name: PostgreSQL parses and plans it once per connection, which otherwise costs
 * more than executing it. The text must be the same at every call, whatever the values.
 */
export async function runPrepared<Row>(db: Database | Tx, name: string, statement: RawBuilder<Row>): Promise<Row[]> {
  const compiled = statement.compile(db)
  registerStatement(name, compiled.sql)
  return run(db, compiled)
}

/** Values for a query's placeholders, by name. */
export type PreparedQuery<Row, Place extends string> = (
  db: Database | Tx,
  values: Readonly<Record<Place, unknown>>,
) => Promise<Row[]>

/**
 * The same for a query of the query builder, which is built and compiled at the first call only. `build` uses
 * `place('organizationId')` in place of a later value and must not inspect it; all other values are fixed.
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
 * In a transaction its connection is the only way. An outdated statement is prepared again; its transaction has failed
 * meanwhile, and the caller has to run it again.
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

/** A placeholder for a value that is not known yet. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

function registerStatement(name: string, text: string): void {
  const registered = STATEMENT_NAMES.get(text)
  assert(
    registered === undefined || registered.name === name,
    `one statement is named both ${registered?.name} and ${name}`,
  )
  if (registered === undefined) STATEMENT_NAMES.set(text, { name, renewed: 0 })
}
