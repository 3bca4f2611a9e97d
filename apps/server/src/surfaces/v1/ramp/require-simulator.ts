import { Failure } from '../../../kernel/index.ts'
import type { RampParts } from '../../../ramp/index.ts'

/** Rejects every simulator request in live, before validation (contract 11). Error: SANDBOX_ONLY. */
export const requireSimulator = (parts: RampParts) => async (): Promise<void> => {
  if (!parts.provider.simulator) throw new Failure('SANDBOX_ONLY')
}
