import type { IncomingHttpHeaders } from 'node:http'
import { type RandomSource, randomBase62 } from '../../../kernel/index.ts'

/** Request ids that a caller may choose: fits common tracing formats, cannot break a log line or a header. */
const REQUEST_ID_PATTERN = /^[A-Za-z0-9._-]{1,128}$/

/** The caller's `x-request-id` if it is valid, else a new one (contract 4: every response carries it). */
export function requestIdOf(headers: IncomingHttpHeaders, random: RandomSource): string {
  const requested = headers['x-request-id']
  return typeof requested === 'string' && REQUEST_ID_PATTERN.test(requested)
    ? requested
    : `req_${randomBase62(random, 20)}`
}
