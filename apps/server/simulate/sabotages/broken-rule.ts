import type { Emphasis } from '../scenario.ts'
import type { Sabotage } from '../service/service.ts'

/** A money rule that is deliberately broken in the running engine. */
export interface BrokenRule {
  /** The rule's number. */
  readonly rule: number
  readonly name: string
  /** The seed that finds it. */
  readonly seed: number
  /**
   * The steps of a seed, if not as many as usual: what shows only in the end is found sooner in a shorter seed, and what
   * takes several days in a longer one.
   */
  readonly steps?: number
  readonly emphasis?: Emphasis
  /** The violation that the simulation reports. */
  readonly finds: RegExp
  readonly sabotage: Sabotage
}
