import type { Play } from '../play.ts'
import type { Random } from '../random.ts'

/** Something that somebody does in one step: clients, their chain, time, or the machine that the service runs on. */
export interface Action {
  readonly name: string
  /** How often it is done, beside the others. */
  readonly weight: number
  readonly act: (play: Play, random: Random) => Promise<void>
}
