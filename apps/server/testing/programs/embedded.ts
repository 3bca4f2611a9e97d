/** Starts the embedded database in the given folder, prints its URL, and runs until it is killed. */
import { startEmbeddedPostgres } from '../../src/database/index.ts'
import { silentLog } from '../../src/kernel/index.ts'

const [, , dataDir = ''] = process.argv
try {
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
  process.stdout.write(`${server.url}\n`)
} catch (error) {
  process.stdout.write(`refused: ${error instanceof Error ? error.message : error}\n`)
}
