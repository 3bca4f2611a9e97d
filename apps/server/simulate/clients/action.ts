import type { EvmRun } from '../evm-run.ts'
import type { Random } from '../random.ts'
import type { SimulationRun } from '../simulation-run.ts'

/** One step of an actor: a client, the chain, time, or the machine that the service runs on. */
export interface Action<P extends SimulationRun = EvmRun> {
  readonly name: string
  /** Relative frequency among all actions. */
  readonly weight: number
  readonly act: (run: P, random: Random) => Promise<void>
}
