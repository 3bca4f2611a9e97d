import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../testing/index.ts'
import { openSimulationDatabase, type SimulationDatabase } from './database.ts'
import { BROKEN_STEPS, findSeed } from './find-seed.ts'
import { runSeed } from './run-seed.ts'
import { ALL_BROKEN } from './sabotages/all.ts'
import { BLIND_FOLLOWER, BROKEN_ON_SOLANA } from './sabotages/solana.ts'

/**
 * The recorded seed finds it, unless the engine has changed a little since; the test then tries the next seeds. That the
 * intact engine survives the same steps is checked by `npm run simulate -- --broken`.
 */
const TRIES = 15

/**
 * All of the tries on a slow machine. No second attempt: what runs out of time still writes to the database, and the seeds
 * are the same.
 */
const PATIENTLY = { timeout: 600_000, retry: 0 }

let simulationDb: SimulationDatabase
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await testDatabase()
  simulationDb = await openSimulationDatabase(database.url)
  drop = database.close
})
afterAll(async () => {
  await simulationDb?.close()
  await drop?.()
})

test.each(ALL_BROKEN)('breaking money rule $rule is detected: $name', PATIENTLY, async (broken) => {
  const found = await findSeed(simulationDb, broken, TRIES)
  expect(found, 'npm run simulate -- --broken looks for other seeds').toBeDefined()
  if (found!.seed !== broken.seed)
    process.stderr.write(`SEED MISSED: ${broken.seed} no longer finds "${broken.name}", ${found!.seed} does\n`)
})

test('a landing that a blind follower missed on Solana is found when its bytes have died', PATIENTLY, async () => {
  const { seed, emphasis = {} } = BROKEN_ON_SOLANA.find(({ name }) =>
    name.startsWith('dead bytes are never looked up'),
  )!
  const report = await runSeed(simulationDb, { seed, steps: BROKEN_STEPS, emphasis, sabotage: BLIND_FOLLOWER })
  expect(report.violation).toBeUndefined()
})
