import type { SimulationDatabase } from './database.ts'
import { runSeed, type SeedReport } from './run-seed.ts'
import type { BrokenRule } from './sabotages.ts'
import type { Emphasis } from './scenario.ts'

/** Steps of a seed that looks for a broken rule: fewer than of one that looks for nothing in particular. */
export const BROKEN_STEPS = 100

/**
 * The first seed, from the kept one on, that finds a broken rule; `undefined` when none of `tries` does. What a seed
 * plays changes when the engine asks the chain once more or less, so that the kept one may have to be another some day.
 */
export async function findSeed(
  books: SimulationDatabase,
  broken: BrokenRule,
  tries: number,
): Promise<SeedReport | undefined> {
  for (let seed = broken.seed; seed < broken.seed + tries; seed += 1) {
    const { sabotage, finds } = broken
    const report = await runSeed(books, { seed, steps: BROKEN_STEPS, sabotage, emphasis: emphasisOf(broken) })
    if (report.violation !== undefined && finds.test(report.violation)) return report
  }
  return undefined
}

/** A rule that does not concern a treasury is looked for where there is none. */
export const emphasisOf = ({ emphasis = {} }: BrokenRule): Emphasis => ({ chain: 'evm', treasury: false, ...emphasis })
