import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate, openDatabase, startEmbeddedPostgres } from '../src/database/index.ts'
import { silentLog } from '../src/kernel/index.ts'
import { handleHelpFlag } from '../src/main/handle-help-flag.ts'
import { openSimulationDatabase, type SimulationDatabase } from './database.ts'
import { emphasisOf, findSeed, intactViolation } from './find-seed.ts'
import { formatViolation } from './format-violation.ts'
import { readOptions } from './options.ts'
import { runSeed } from './run-seed.ts'
import { BROKEN_RULES, type BrokenRule } from './sabotages.ts'
import { BROKEN_ON_SOLANA } from './solana/sabotages.ts'
import { BROKEN_TREASURY } from './treasury-sabotages.ts'

handleHelpFlag(`npm run simulate                          1,000 seeds of 200 steps, on a database of its own
npm run simulate -- --seeds COUNT         this many seeds
npm run simulate -- --from SEED           from this seed on
npm run simulate -- --seed SEED [--log]   replays one, with everything that happened
npm run simulate -- --steps COUNT         this many steps of each
npm run simulate -- --broken              breaks each money rule, finds a seed that notices, and plays it unbroken

Exits with 1 if a rule was broken, and prints the seed that shows it. See docs/simulation.md.`)

/** `npm run simulate`: runs many seeds, or replays one, on a separate PostgreSQL (docs/simulation.md). */
const { first, count, steps, chain, log, broken: isBrokenAsked } = optionsGiven()
/** How many seeds are tried for each broken rule. */
const SEEDS_FOR_BROKEN = 200

/** Whether a rule applies to the requested chain. */
const isOn = (broken: BrokenRule) => chain === undefined || emphasisOf(broken).chain === chain

const dataDir = mkdtempSync(join(tmpdir(), 'weir-simulate-'))
// As root, PostgreSQL runs as another user, which must be able to traverse the folder.
chmodSync(dataDir, 0o711)
const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
let failed = 0
try {
  const { db, close } = openDatabase({ url: server.url, log: silentLog, max: 1 })
  await migrate(db, silentLog)
  await close()
  const database = await openSimulationDatabase(server.url)
  if (isBrokenAsked) {
    for (const broken of [...BROKEN_RULES, ...BROKEN_TREASURY, ...BROKEN_ON_SOLANA].filter(isOn)) {
      const found = await findSeed(database, broken, SEEDS_FOR_BROKEN)
      const intact = found && (await intactViolation(database, broken, found))
      if (!found || intact !== undefined) failed += 1
      const line = found ? `seed ${found.seed}, step ${found.steps}: ${found.violation}` : 'not found'
      if (intact !== undefined) console.log(`seed ${found!.seed} fails in the intact engine too: ${intact}`)
      console.log(`money rule ${broken.rule}, ${broken.name}: ${line.slice(0, 200)}`)
    }
  } else await runSeeds(database)
  await database.close()
} finally {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
process.exitCode = failed === 0 ? 0 : 1

function optionsGiven() {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}

async function runSeeds(database: SimulationDatabase): Promise<void> {
  const began = performance.now()
  for (let seed = first; seed < first + count; seed += 1) {
    const report = await runSeed(database, { seed, steps, emphasis: chain ? { chain } : {} })
    if (report.violation !== undefined) {
      failed += 1
      console.log(formatViolation(report, log ? report.log.length : undefined, chain))
    } else if (log) console.log(report.log.join('\n'))
    const done = seed - first + 1
    if (done % 50 === 0 && done < count) console.log(`${done} of ${count} seeds, ${failed} failed`)
  }
  const seconds = (performance.now() - began) / 1_000
  const found = failed === 0 ? 'nothing found' : `${failed} failed`
  console.log(`${count} seeds of ${steps} steps in ${seconds.toFixed(0)} s: ${found}`)
}
