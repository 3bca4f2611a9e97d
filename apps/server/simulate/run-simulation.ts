import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate, openDatabase, startEmbeddedPostgres } from '../src/database/index.ts'
import { silentLog } from '../src/kernel/index.ts'
import { stopOnSignals } from '../testing/processes/stop-on-signals.ts'
import { openSimulationDatabase, type SimulationDatabase } from './database.ts'
import { emphasisOf, findShortestSeed, intactViolation } from './find-seed.ts'
import { formatViolation } from './format-violation.ts'
import type { Options } from './options.ts'
import { runSeed } from './run-seed.ts'
import { ALL_BROKEN } from './sabotages/all.ts'

/** How many seeds are tried for each broken rule. */
const SEEDS_FOR_BROKEN = 200

/** Runs the seeds, or breaks each rule, on a PostgreSQL of its own; returns whether nothing was found. */
export async function simulate(options: Options): Promise<boolean> {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-simulate-'))
  // As root, PostgreSQL runs as another user, which must be able to traverse the folder.
  chmodSync(dataDir, 0o711)
  const starting = startEmbeddedPostgres({ dataDir, log: silentLog })
  const stop = async () => {
    try {
      await (await starting).stop()
    } finally {
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
    }
  }
  const ignoreSignals = stopOnSignals(stop)
  try {
    const server = await starting
    const { db, close } = openDatabase({ url: server.url, log: silentLog, max: 1 })
    await migrate(db, silentLog)
    await close()
    const database = await openSimulationDatabase(server.url)
    const failed = options.broken ? await breakRules(database, options) : await runSeeds(database, options)
    await database.close()
    return failed === 0
  } finally {
    await stop()
    ignoreSignals()
  }
}

/** Breaks each rule that applies to the requested chain; returns how many breaks no seed notices. */
async function breakRules(database: SimulationDatabase, { chain, shortestOf: tries = 1 }: Options): Promise<number> {
  let failed = 0
  for (const broken of ALL_BROKEN) {
    if (chain !== undefined && emphasisOf(broken).chain !== chain) continue
    const found = await findShortestSeed(database, broken, { tries, most: SEEDS_FOR_BROKEN })
    const intact = found && (await intactViolation(database, broken, found))
    if (!found || intact !== undefined) failed += 1
    const line = found ? `seed ${found.seed}, step ${found.steps}: ${found.violation}` : 'not found'
    if (intact !== undefined) console.log(`seed ${found!.seed} fails in the intact engine too: ${intact}`)
    console.log(`money rule ${broken.rule}, ${broken.name}: ${line.slice(0, 200)}`)
  }
  return failed
}

/** Returns how many seeds break a rule. */
async function runSeeds(database: SimulationDatabase, { first, count, steps, chain, log }: Options): Promise<number> {
  const began = performance.now()
  let failed = 0
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
  return failed
}
