import type { FastifyRequest } from 'fastify'
import type { KeyErrorFacts, KeyErrorRecorder } from '../../../identity/index.ts'
import {
  type Failure,
  KEY_ERROR_DEPTH_MAX,
  KEY_ERROR_FIELDS_MAX,
  KEY_ERROR_ITEMS_MAX,
  KEY_ERROR_SENT_MAX,
  statusOf,
} from '../../../kernel/index.ts'
import { surfaceOf } from '../access/access.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Where failed requests of keys are counted; `undefined` in servers without it. */
    readonly keyErrors: KeyErrorRecorder | undefined
  }
}

/** Fields whose numbers are Weir's own ids, amounts and pages; a client's own ids are text like any other. */
const NUMBERS =
  /^(?!external)(?:id|limit|offset|page|per_page|days|seconds)$|^(?!external).*(?:_id|Id|amount|Amount|_ms|Ms)$/
const NUMBER = /^-?\d{1,40}(?:\.\d{1,18})?$/
/** Fields that hold a word of a small set. */
const WORDS = /^(?:blockchain|token|asset|source_asset|destination_asset|rail|type|status|scenario|format|mode)$/
const WORD = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/
/** A name that a line can hold. */
const NAME = /^[\w.$-]{1,64}$/

/** Counts a failed request of a key, with what it sent. Nothing waits for it. */
export function recordKeyError(request: FastifyRequest, failure: Failure): void {
  const { presented, routeOptions } = request
  const recorder = request.server.keyErrors
  if (recorder === undefined || presented?.kind !== 'key' || routeOptions.url === undefined) return
  recorder.record({
    organizationId: presented.organizationId,
    keyId: presented.keyId,
    method: request.method,
    route: routeOptions.url,
    code: failure.code,
    status: statusOf(failure.code, surfaceOf(request.raw.url ?? '')),
    requestId: request.id,
    facts: factsOf(request, failure),
  })
}

function factsOf(request: FastifyRequest, { details }: Failure): KeyErrorFacts {
  const { reason, issues } = details ?? {}
  const sent = Object.fromEntries(
    (['params', 'query', 'body'] as const).flatMap((part) => {
      const value = request[part]
      // A body that was never read is bytes.
      if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return []
      return Object.keys(value).length === 0 ? [] : [[part, shownOf('', value, 1)]]
    }),
  )
  return {
    reason: typeof reason === 'string' && WORD.test(reason) ? reason : null,
    issues: Array.isArray(issues) ? (issues as KeyErrorFacts['issues']).slice(0, KEY_ERROR_ITEMS_MAX) : [],
    sent: JSON.stringify(sent).length > KEY_ERROR_SENT_MAX ? {} : sent,
  }
}

/**
 * What was sent, without what people typed: ids, amounts and words of small sets as they are, all other text by its
 * length. A list of names to hide would forget one.
 */
function shownOf(name: string, value: unknown, depth: number): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (Array.isArray(value))
    return depth > KEY_ERROR_DEPTH_MAX
      ? 'a list'
      : value.slice(0, KEY_ERROR_ITEMS_MAX).map((each) => shownOf(name, each, depth + 1))
  if (typeof value === 'object') {
    if (depth > KEY_ERROR_DEPTH_MAX) return 'an object'
    const fields = Object.entries(value).filter(([field]) => NAME.test(field))
    return Object.fromEntries(
      fields.slice(0, KEY_ERROR_FIELDS_MAX).map(([field, each]) => [field, shownOf(field, each, depth + 1)]),
    )
  }
  const text = String(value)
  const isShown = (NUMBERS.test(name) && NUMBER.test(text)) || (WORDS.test(name) && WORD.test(text))
  if (isShown) return value
  return typeof value === 'string' ? `text of ${value.length} characters` : `a ${typeof value}`
}
