export { type Access, ADMINS, EVERYONE, OWNERS } from './access.ts'
export type { App, Authenticate, ServerOptions } from './app.ts'
export { AUDITED_OBJECTS, isAudited } from './audit.ts'
export { bytesOf } from './body.ts'
export { envelope, ok } from './envelope.ts'
export { EVENTS_DESCRIPTION, EventList, EventStream, eventQuery, presentEvents } from './event-schemas.ts'
export { type EventStreamParts, streamEvents, wantsStream } from './event-stream.ts'
export { sweepIdempotency } from './idempotency-claims.ts'
export type { Limits } from './limits.ts'
export {
  type PerPage,
  pageOf,
  pageOrOffsetQuery,
  pageQuery,
  perPageQuery,
  totalCount,
  type Window,
  wholeOrPageOf,
  wholeOrPageQuery,
  wholeOrPerPageQuery,
  windowOf,
} from './lists.ts'
export { memoryLimits } from './memory-limits.ts'
export { openApiGaps } from './openapi-gaps.ts'
export { TAGS } from './openapi-tags.ts'
export { addressOf } from './rate.ts'
export { type Finish, finishWith, type Recorder } from './recorder.ts'
export { keyOf, userOf } from './request.ts'
export { id, idParams } from './schemas.ts'
export { setPageHeaders } from './security-headers.ts'
export { buildServer } from './server.ts'
export { postgresLimits, redisLimits } from './shared-limits.ts'
