import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** The migrated template of all test databases. After the setup, nothing connects to it. */
export const TEMPLATE = 'weir_template'

/** Runs one statement on its own connection, for statements that cannot run in a transaction. */
export async function runStatement(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Creates a database with a unique name; `template` is TEMPLATE or PostgreSQL's empty `template1`. */
export async function createDatabase(
  serverUrl: string,
  template: string,
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await runStatement(serverUrl, `create database ${name} template ${template} strategy file_copy`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => runStatement(serverUrl, `drop database if exists ${name} with (force)`) }
}
