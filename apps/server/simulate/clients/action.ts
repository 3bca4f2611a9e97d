import type { EvmRun } from '../evm-run.ts'
import type { Random } from '../random.ts'
import type { SimulationRun } from '../simulation-run.ts'

/** Something that somebody does in one step: clients, their chain, time, or the machine that the service runs on. */
export interface Action<P extends SimulationRun = EvmRun> {
  readonly name: string
  /** How often it is done, beside the others. */
  readonly weight: number
  readonly act: (play: P, random: Random) => Promise<void>
}
