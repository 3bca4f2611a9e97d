/** What `fc.assert` takes. */
interface Draws {
  readonly numRuns: number
  readonly seed?: number
}

/**
 * How a property of real chains or databases draws its values. `npm test` draws the same ones every time: what fails there
 * comes from a change. `<prefix>RUNS=200` draws that many new ones, and `<prefix>SEED=7` repeats those of a failure.
 */
export function draws(prefix: string, { numRuns, seed }: Required<Draws>): Draws {
  const { [`${prefix}RUNS`]: runs, [`${prefix}SEED`]: given } = process.env
  if (given !== undefined) return { numRuns: Number(runs ?? numRuns), seed: Number(given) }
  return runs === undefined ? { numRuns, seed } : { numRuns: Number(runs) }
}
