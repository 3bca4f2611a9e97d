export { type Access, ADMINS, EVERYONE, OWNERS } from './access/access.ts'
export { keyCredentialOf, userCredentialOf } from './access/request-credential.ts'
export {
  asksForCookie,
  CSRF_HEADER,
  csrfTokenOf,
  type SessionCookie,
  sessionCookie,
} from './access/session-cookie.ts'
export type { App, CredentialAuthenticator, ServerOptions } from './app.ts'
export { eventScopeOf, mayReadRamp } from './events/event-scope.ts'
export { acceptsEventStream, type EventStreamParts, streamEvents } from './events/event-stream.ts'
export { idempotencyKeyRetention } from './idempotency/claims.ts'
export { RESPONSE_ERASURE } from './idempotency/erase-responses.ts'
export { RESPONSES_PURPOSE, RESPONSES_SEALED_COLUMN } from './idempotency/sealed-response.ts'
export { clientAddress, clientNetwork } from './limits/client-address.ts'
export { createMemoryRateLimiter } from './limits/memory-rate-limiter.ts'
export type { RateLimiter } from './limits/rate-limiter.ts'
export { createPostgresRateLimiter, createRedisRateLimiter } from './limits/shared-rate-limiters.ts'
export { countUnreadable } from './metrics/count-unreadable.ts'
export { registerDatabaseMetrics } from './metrics/database-metrics.ts'
export { HttpMetrics } from './metrics/metrics.ts'
export { type MetricsListener, startMetricsListener } from './metrics/metrics-listener.ts'
export { registerWorkMetrics } from './metrics/work-metrics.ts'
export { TAGS } from './openapi/tags.ts'
export { undocumentedParts } from './openapi/undocumented-parts.ts'
export { runVerb } from './pipeline/run-verb.ts'
export { AUDITED_OBJECTS, auditedActorOf, isAudited } from './records/audit-requests.ts'
export { recordEvent, recordPartialRefusal, recordRefusal } from './records/record-refusal.ts'
export { bestEncoding, type CompressedFile, encodingsOf, sendBytes } from './responses/compressed-files.ts'
export { onResponseClosed } from './responses/on-response-closed.ts'
export { setPageHeaders } from './responses/security-headers.ts'
export { alternatives } from './schemas/alternatives.ts'
export {
  ChangeRequestData,
  ChangeRequested,
  changeStatus,
  presentChangeRequest,
} from './schemas/change-request.ts'
export { createdBy } from './schemas/created-by.ts'
export { parseDayOrTime } from './schemas/day-or-time.ts'
export { envelope, ok } from './schemas/envelope.ts'
export {
  EVENTS_DESCRIPTION,
  Event,
  EventList,
  EventStream,
  eventQuery,
  presentEvent,
  presentEvents,
  presentFoundEvents,
} from './schemas/event-schemas.ts'
export { exitStatus } from './schemas/exit-status.ts'
export {
  EXPLANATION_DETAILS,
  explanationFields,
  explanationOf,
  givenExplanation,
  presentExplanation,
} from './schemas/explanation.ts'
export {
  anyObject,
  baseUnits,
  blockchain,
  blockchainText,
  dateTime,
  enumQuery,
  orNull,
  searchText,
  strategyContracts,
} from './schemas/fields.ts'
export { id, idParams } from './schemas/ids.ts'
export {
  beforeQuery,
  optionalPageOf,
  optionalPageQuery,
  optionalPerPageQuery,
  type PageWindow,
  type PerPageWindow,
  pageOf,
  pageOrOffsetQuery,
  pageQuery,
  pageWindowOf,
  perPageQuery,
  totalCount,
} from './schemas/pagination.ts'
export { RAMP_TYPES, RampTransactionRecord, usd } from './schemas/ramp-transaction.ts'
export { buildServer } from './server/build-server.ts'
export { rawBodyOf } from './validation/raw-body.ts'
