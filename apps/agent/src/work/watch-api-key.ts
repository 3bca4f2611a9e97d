import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { ServiceError } from '../service/service-error.ts'
import { createOutages } from './outages.ts'

interface WatchOptions {
  readonly url: string
  readonly log: Pick<Logger, 'error' | 'warn' | 'info'>
  readonly clock: Pick<Clock, 'monotonic'>
}

/**
 * Watches the outcomes of polls. A service that is silent, and a key that it refuses, are logged once, and once when they
 * have passed: a key may be replaced, and a service restored from a backup learns it again, so a refusal ends nothing.
 */
export function watchApiKey({ url, log, clock }: WatchOptions): (error: ServiceError | undefined) => void {
  const outages = createOutages({
    log,
    clock,
    away: 'the service issues no work',
    back: 'the service issues work again',
  })
  const refusals = createOutages({
    log,
    level: 'error',
    clock,
    away: 'the service refuses the API key; retrying',
    back: 'the service accepts the API key',
  })
  const codes = new Set<string>()

  return (error) => {
    if (error === undefined) {
      for (const code of codes) refusals.recovered(code)
      codes.clear()
      return outages.recovered('service')
    }
    if (!error.isDenied) return outages.failed('service', { code: error.code, err: error.message })
    codes.add(error.code)
    const sentence = `WEIR_API_KEY (or WEIR_API_KEY_FILE) must be an organization key that ${url} accepts; it returns ${error.status} ${error.code}: ${error.message}`
    refusals.failed(error.code, { code: error.code, err: sentence })
  }
}
