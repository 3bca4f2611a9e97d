import { backoff } from '../backoff.ts'
import type { Clock } from '../clock.ts'
import { ServiceError } from './service-error.ts'

/**
 * Retries while the service does not respond or refuses temporarily. Resolves with undefined on success, with the
 * refusal when it is permanent, and with `'stopped'` when `signal` aborts first.
 */
export async function retryUntilAnswered(
  ask: () => Promise<void>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<ServiceError | 'stopped' | undefined> {
  for (let failures = 1; ; failures++) {
    try {
      await ask()
      return undefined
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (error.isFinal) return error
      if (signal.aborted) return 'stopped'
      await clock.sleep(backoff(failures, clock, error.retryAfterMs), signal)
    }
  }
}
