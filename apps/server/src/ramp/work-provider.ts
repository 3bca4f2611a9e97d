import type { RampParts } from './parts.ts'
import { takeEvent } from './take-event.ts'

/** Does what the provider has to do by itself; called again and again, in one process at a time. */
export async function workProvider(parts: RampParts): Promise<void> {
  await parts.provider.work?.(async (tx, event) => {
    await takeEvent(parts, tx, event)
  })
}
