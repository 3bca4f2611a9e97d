import { backoff } from '../backoff.ts'
import type { Clock } from '../clock.ts'
import { ServiceError } from './service-error.ts'

/**
 * Asks until there is an answer: what the service does not answer, or refuses for now, is asked again. Resolves with
 * undefined once it did it, with its refusal when it said no for good, and with `'stopped'` when `signal` came first.
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
      await clock.sleep(error.retryAfterMs ?? backoff(failures, clock), signal)
    }
  }
}
