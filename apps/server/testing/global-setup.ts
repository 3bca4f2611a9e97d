import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate, openDatabase, startEmbeddedPostgres } from '../src/database/index.ts'
import { readColumns } from '../src/database/queries/read-columns.ts'
import { silentLog } from '../src/kernel/index.ts'
import { prepareFolder } from '../system/service/prepared-folder.ts'
import { runStatement, TEMPLATE } from './database/databases.ts'
import { memoryFolder } from './database/memory-folder.ts'
import { type JoinCatalog, joinCatalog } from './joins/join-catalog.ts'
import { bundlePrograms } from './processes/bundle-programs.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the default database; test databases are created on the same server. */
    postgresUrl: string
    /** How its tables can be distributed over several nodes. */
    joinCatalog: JoinCatalog
  }
}

/** Starts one PostgreSQL for the whole run, with a migrated template that each test's database is copied from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const memory = memoryFolder()
  // The workers inherit it, and the services that they start.
  if (memory !== undefined) process.env.TMPDIR = memory
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-test-'))
  // As root, PostgreSQL runs as another user, which must be able to traverse the folders.
  for (const folder of [memory, dataDir]) if (folder !== undefined) chmodSync(folder, 0o711)
  process.env.TEST_POSTGRES_DIR = dataDir
  const bundling = process.env.BUNDLE_PROGRAMS === undefined ? undefined : bundlePrograms()
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog, survivesPowerLoss: false })
  // Databases live for seconds: cleaning them up is work that nobody profits from.
  await runStatement(server.url, 'alter system set autovacuum = off')
  await runStatement(server.url, 'select pg_reload_conf()')
  await runStatement(server.url, `create database ${TEMPLATE}`)
  const template = new URL(server.url)
  template.pathname = `/${TEMPLATE}`
  const { db, close } = openDatabase({ url: template.href, log: silentLog, max: 1 })
  await migrate(db, silentLog)
  project.provide('joinCatalog', joinCatalog(await readColumns(db)))
  await close()
  const programs = await bundling
  if (programs !== undefined) {
    process.env.TEST_PROGRAMS_DIR = programs
    process.env.TEST_SERVICE_FOLDER = await prepareFolder()
  }
  project.provide('postgresUrl', server.url)
  return async () => {
    await server.stop()
    for (const folder of [process.env.TEST_SERVICE_FOLDER, dataDir, memory, programs]) {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    }
  }
}
