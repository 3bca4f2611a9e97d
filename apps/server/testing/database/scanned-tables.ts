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
import type { Database, Schema } from '../../src/database/index.ts'

/** A node of a plan, as PostgreSQL explains it. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  /** How often it ran; only of a plan that was executed. */
  readonly 'Actual Loops'?: number
  readonly Plans?: readonly PlanNode[]
}

/** Which of these tables the one statement of `run` scans sequentially, by the plan of PostgreSQL. */
export async function scannedTables(
  pool: Pick<pg.Pool, 'query'>,
  run: (db: Database) => Promise<unknown>,
  tables: readonly string[],
): Promise<string[]> {
  return (await explain(pool, run, 'format json'))
    .filter((node) => node['Node Type'] === 'Seq Scan' && tables.includes(node['Relation Name'] ?? ''))
    .map((node) => node['Relation Name']!)
}

/** How often PostgreSQL repeats the part of the one statement of `run` that it repeats most. Executes the statement. */
export async function mostLoops(
  pool: Pick<pg.Pool, 'query'>,
  run: (db: Database) => Promise<unknown>,
): Promise<number> {
  const nodes = await explain(pool, run, 'analyze, format json')
  return Math.max(...nodes.map((node) => node['Actual Loops']!))
}

/** All nodes of the plan of the one statement of `run`. */
async function explain(
  pool: Pick<pg.Pool, 'query'>,
  run: (db: Database) => Promise<unknown>,
  options: string,
): Promise<PlanNode[]> {
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
  const { rows } = await pool.query(`explain (${options}) ${text}`, [...parameters])
  const flat = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flat)]
  return flat(rows[0]['QUERY PLAN'][0].Plan)
}
