import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type pg from 'pg'
import { expect } from 'vitest'
import type { Database, Schema } from '../src/database/index.ts'

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly Plan[]
}

/** Which of these tables the one statement of `run` scans sequentially, by the plan of PostgreSQL. */
export async function scannedTables(
  pool: Pick<pg.Pool, 'query'>,
  run: (db: Database) => Promise<unknown>,
  tables: readonly string[],
): Promise<string[]> {
  const statements: CompiledQuery[] = []
  const db = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (over) => new PostgresIntrospector(over),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log({ query }) {
      statements.push(query)
    },
  })
  await run(db)
  expect(statements).toHaveLength(1)
  const [{ sql: text, parameters }] = statements as [CompiledQuery]
  const { rows } = await pool.query(`explain (format json) ${text}`, [...parameters])
  const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)]
  return flat(rows[0]['QUERY PLAN'][0].Plan)
    .filter((plan) => plan['Node Type'] === 'Seq Scan' && tables.includes(plan['Relation Name'] ?? ''))
    .map((plan) => plan['Relation Name']!)
}
