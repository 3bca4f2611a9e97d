import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { migrate, openDatabase, startEmbeddedPostgres } from '../src/database/index.ts'
import { silentLog } from '../src/kernel/index.ts'
import { openBooks } from './database.ts'
import { tellViolation } from './report.ts'
import { runSeed } from './run-seed.ts'

/** `npm run simulate`: many seeds, or one again, on a PostgreSQL of its own (docs/simulation.md). */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    steps: { type: 'string', default: '200' },
    log: { type: 'boolean', default: false },
  },
})
const steps = Number(values.steps)
const first = Number(values.seed ?? values.from)
const count = values.seed === undefined ? Number(values.seeds) : 1

const dataDir = mkdtempSync(join(tmpdir(), 'weir-simulate-'))
// PostgreSQL runs as another user when we are root, and may pass through.
chmodSync(dataDir, 0o711)
const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
let failed = 0
try {
  const { db, close } = openDatabase({ url: server.url, log: silentLog, max: 1 })
  await migrate(db, silentLog)
  await close()
  const books = await openBooks(server.url)
  const began = performance.now()
  for (let seed = first; seed < first + count; seed += 1) {
    const report = await runSeed(books, { seed, steps })
    if (report.violation !== undefined) {
      failed += 1
      console.log(tellViolation(report, values.log ? report.log.length : undefined))
    } else if (values.log) console.log(report.log.join('\n'))
    const done = seed - first + 1
    if (done % 50 === 0 && done < count) console.log(`${done} of ${count} seeds, ${failed} failed`)
  }
  await books.close()
  const seconds = (performance.now() - began) / 1_000
  console.log(
    `${count} seeds of ${steps} steps in ${seconds.toFixed(0)} s: ${failed === 0 ? 'nothing found' : `${failed} failed`}`,
  )
} finally {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
process.exitCode = failed === 0 ? 0 : 1
