import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../testing/index.ts'
import { openSimulationDatabase, type SimulationDatabase } from './database.ts'
import { createEvmScenario } from './evm-scenario.ts'
import { formatViolation } from './format-violation.ts'
import { runSeed } from './run-seed.ts'

/** `npm run simulate` runs 1,000. In sabotage.test.ts, each broken rule has a recorded seed that finds it. */
const SEEDS = 4
const STEPS = 200

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

test(`no money is lost, created or spent twice in ${SEEDS} seeds of ${STEPS} steps of faulty chains, clients and crashes`, {
  timeout: 900_000,
}, async () => {
  const found: string[] = []
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const report = await runSeed(simulationDb, { seed, steps: STEPS })
    if (report.violation !== undefined) found.push(formatViolation(report))
  }
  expect(found.join('\n\n')).toBe('')
})

test('no rule breaks while vaults pay later, breakers open, limits change, and markets run dry', {
  timeout: 300_000,
}, async () => {
  const emphasis = { chain: 'evm', treasury: true, exits: true, breakers: true, unkind: true, limits: true } as const
  for (const seed of [10, 11]) {
    const report = await runSeed(simulationDb, { seed, steps: 150, emphasis })
    expect(report.violation && formatViolation(report)).toBeUndefined()
  }
})

test('ordinary seeds draw unkind markets, breakers, limits and refusals, and searches for one broken rule do not', () => {
  const drawn = (treasury?: boolean) =>
    Array.from({ length: 40 }, (_, at) => {
      const emphasis = treasury === undefined ? {} : { treasury }
      const { run } = createEvmScenario(at + 1, simulationDb, {}, emphasis)
      const { hasBreakers, hasLimits, hasRefusing, hasSilent, isOdd, isUnkind } = run
      return {
        hasTreasury: run.treasury !== undefined,
        hasBreakers,
        hasLimits,
        hasRefusing,
        hasSilent,
        isOdd,
        isUnkind,
      }
    })
  const count = (of: ReturnType<typeof drawn>, key: keyof (typeof of)[number]) => of.filter((one) => one[key]).length
  const ordinary = drawn()
  expect(count(ordinary, 'hasBreakers')).toBeGreaterThan(4)
  expect(count(ordinary, 'isUnkind')).toBeGreaterThan(4)
  expect(count(ordinary, 'hasLimits')).toBeGreaterThan(4)
  expect(count(ordinary, 'hasRefusing')).toBeGreaterThan(4)
  expect(count(ordinary, 'hasSilent')).toBeGreaterThan(4)
  expect(count(ordinary, 'isOdd')).toBeGreaterThan(4)
  expect(ordinary.some(({ hasBreakers, isUnkind }) => hasBreakers && isUnkind)).toBe(true)
  expect(ordinary.filter(({ hasTreasury, ...drawn }) => !hasTreasury && Object.values(drawn).includes(true))).toEqual(
    [],
  )
  for (const named of [drawn(true), drawn(false)])
    expect(
      (['hasBreakers', 'hasLimits', 'hasRefusing', 'hasSilent', 'isOdd', 'isUnkind'] as const).map((key) =>
        count(named, key),
      ),
    ).toEqual([0, 0, 0, 0, 0, 0])
})

test.each(['evm', 'solana'] as const)('a seed on %s replays to the last line', async (chain) => {
  const run = { seed: 7, steps: 120, emphasis: { chain } }
  const first = await runSeed(simulationDb, run)
  const second = await runSeed(simulationDb, run)
  expect(second).toEqual(first)
})
