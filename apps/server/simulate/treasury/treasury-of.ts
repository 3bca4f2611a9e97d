import type { SimulationRun } from '../simulation-run.ts'
import { Violation } from '../violation.ts'
import type { Treasury } from './treasury.ts'

/** The treasury of a seed that has one. */
export function treasuryOf({ treasury }: SimulationRun): Treasury {
  if (!treasury) throw new Violation('this seed has no treasury')
  return treasury
}
