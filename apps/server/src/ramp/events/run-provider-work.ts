import type { RampParts } from '../parts.ts'
import { applyProviderEvent } from './apply-provider-event.ts'

/** Does what the provider has to do by itself; called again and again, in one process at a time. */
export async function runProviderWork(parts: RampParts): Promise<void> {
  await parts.provider.runDueWork?.(async (tx, event) => {
    await applyProviderEvent(parts, tx, event)
  })
}
