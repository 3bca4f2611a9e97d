import { Failure } from '../../../kernel/index.ts'
import type { RampParts } from '../../../ramp/index.ts'

/** Before the request is judged: in live a simulator is refused whatever is asked (contract 11). Error: SANDBOX_ONLY. */
export const requireSimulator = (parts: RampParts) => async (): Promise<void> => {
  if (!parts.provider.simulator) throw new Failure('SANDBOX_ONLY')
}
