import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** The migrated database that test databases are copied from; nobody connects to it after the set-up. */
export const TEMPLATE = 'weir_template'

/** Runs one statement on a connection of its own; for statements that stand outside transactions. */
export async function runStatement(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Makes a database with a name of its own; `template` is TEMPLATE, or PostgreSQL's empty `template1`. */
export async function createDatabase(
  serverUrl: string,
  template: string,
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await runStatement(serverUrl, `create database ${name} template ${template}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => runStatement(serverUrl, `drop database if exists ${name} with (force)`) }
}
