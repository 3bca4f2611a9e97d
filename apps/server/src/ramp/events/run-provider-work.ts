import type { RampParts } from '../parts.ts'
import { applyProviderEvent } from './apply-provider-event.ts'

/** Runs the provider's background work; called periodically, in one process at a time. */
export async function runProviderWork(parts: RampParts): Promise<void> {
  await parts.provider.runDueWork?.(async (tx, event) => {
    await applyProviderEvent(parts, tx, event)
  })
}
