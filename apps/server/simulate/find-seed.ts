import type { SimulationDatabase } from './database.ts'
import { runSeed, type SeedReport } from './run-seed.ts'
import type { BrokenRule } from './sabotages/broken-rule.ts'
import type { Emphasis } from './scenario.ts'

/** Steps of a seed that looks for one broken rule: fewer than in an open-ended search. */
export const BROKEN_STEPS = 100

/**
 * The first seed from the recorded one on that finds a broken rule; `undefined` if none of `tries` does. A seed runs
 * differently when the engine makes one more or one fewer call to the chain, so the recorded seed may need an update.
 */
export async function findSeed(
  database: SimulationDatabase,
  broken: BrokenRule,
  tries: number,
): Promise<SeedReport | undefined> {
  for (let seed = broken.seed; seed < broken.seed + tries; seed += 1) {
    const { sabotage, finds, steps = BROKEN_STEPS } = broken
    const report = await runSeed(database, { seed, steps, sabotage, emphasis: emphasisOf(broken) })
    if (report.violation !== undefined && finds.test(report.violation)) return report
  }
  return undefined
}

/**
 * Of the seeds from the recorded one on, the one that finds a broken rule in the fewest steps: a test that plays it is the
 * quickest. At least `tries` seeds are played, and more until the first is found; `undefined` if none of `most` finds it.
 */
export async function findShortestSeed(
  database: SimulationDatabase,
  broken: BrokenRule,
  { tries, most }: { readonly tries: number; readonly most: number },
): Promise<SeedReport | undefined> {
  let shortest = await findSeed(database, broken, most)
  const { sabotage, finds, seed: first } = broken
  for (let seed = (shortest?.seed ?? first + most) + 1; shortest && seed < first + tries; seed += 1) {
    // A seed plays the same steps however many it has, and what it finds after them is not found sooner.
    const steps = Math.min(shortest.steps - 1, broken.steps ?? BROKEN_STEPS)
    if (steps === 0) break
    const report = await runSeed(database, { seed, steps, sabotage, emphasis: emphasisOf(broken) })
    if (report.violation !== undefined && finds.test(report.violation) && report.steps <= steps) shortest = report
  }
  return shortest
}

/** What the intact engine breaks in the same steps, up to the one that found the sabotage: `undefined`, if all is well. */
export async function intactViolation(
  database: SimulationDatabase,
  broken: BrokenRule,
  { seed, steps }: SeedReport,
): Promise<string | undefined> {
  return (await runSeed(database, { seed, steps, emphasis: emphasisOf(broken) })).violation
}

/** A rule that concerns neither a treasury nor several workers is searched for without them. */
export const emphasisOf = ({ emphasis = {} }: BrokenRule): Emphasis => ({
  chain: 'evm',
  treasury: false,
  workers: false,
  ...emphasis,
})
