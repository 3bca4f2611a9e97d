import type { IncomingHttpHeaders } from 'node:http'
import { type RandomSource, randomBase62 } from '../../../kernel/index.ts'

/** What a caller may choose: enough for every tracing habit, nothing that could break a log line or a header. */
const REQUEST_ID_PATTERN = /^[A-Za-z0-9._-]{1,128}$/

/** The request's own `x-request-id` when it is sane, else a new one (contract 4: every response carries it). */
export function requestIdOf(headers: IncomingHttpHeaders, random: RandomSource): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID_PATTERN.test(given) ? given : `req_${randomBase62(random, 20)}`
}
