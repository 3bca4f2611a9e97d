import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate, openDatabase, startEmbeddedPostgres } from '../src/database/index.ts'
import { silentLog } from '../src/kernel/index.ts'
import { runStatement, TEMPLATE } from './databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server's own database; test databases are made beside it. */
    postgresUrl: string
  }
}

/** One PostgreSQL for the whole run, with one migrated database that each test's database is a copy of. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-test-'))
  // PostgreSQL runs as another user when we are root, and may pass through.
  chmodSync(dataDir, 0o711)
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
  await runStatement(server.url, `create database ${TEMPLATE}`)
  const template = new URL(server.url)
  template.pathname = `/${TEMPLATE}`
  const { db, close } = openDatabase({ url: template.href, log: silentLog, max: 1 })
  await migrate(db, silentLog)
  await close()
  project.provide('postgresUrl', server.url)
  return async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
