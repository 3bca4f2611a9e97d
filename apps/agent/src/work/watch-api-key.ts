import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { ServiceError } from '../service/service-error.ts'
import { createOutages } from './outages.ts'

/** The service has never accepted the API key: only another key helps. */
class ApiKeyRejected extends Error {
  override readonly name = 'KeyRefused'
}

interface WatchOptions {
  readonly url: string
  readonly log: Pick<Logger, 'warn' | 'info'>
  readonly clock: Pick<Clock, 'monotonic'>
}

/**
 * Watches the outcomes of polls. The returned function creates a listener for one of the loops that share a key. It
 * throws {@link ApiKeyRejected} when the service rejects the key before ever accepting it. A key that is rejected later
 * may be accepted again, so the loop that noticed first logs a warning.
 */
export function watchApiKey({ url, log, clock }: WatchOptions) {
  const outages = createOutages({
    log,
    clock,
    away: 'the service issues no work',
    back: 'the service issues work again',
  })
  let wasTaken = false
  let teller: string | undefined

  return (loop: string) => (error: ServiceError | undefined) => {
    if (error === undefined) {
      wasTaken = true
      teller = undefined
      return outages.recovered('service')
    }
    if (!error.isDenied) return outages.failed('service', { code: error.code, err: error.message })
    const sentence = `WEIR_API_KEY (or WEIR_API_KEY_FILE) must be an organization key that ${url} accepts; it returns ${error.status} ${error.code}: ${error.message}`
    if (!wasTaken) throw new ApiKeyRejected(sentence)
    teller ??= loop
    if (teller === loop) log.warn({ code: error.code, err: sentence }, 'the service refuses the API key')
  }
}
