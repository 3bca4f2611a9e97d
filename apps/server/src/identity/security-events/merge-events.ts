import type { SecurityEvent } from './security-event.ts'

/** One event for both: counts add up, and facts in which they differ become null. */
export function mergeEvents(first: SecurityEvent, second: SecurityEvent): SecurityEvent {
  const same = <K extends keyof SecurityEvent>(name: K) => (first[name] === second[name] ? first[name] : null)
  const isSameActor = first.actorType === second.actorType && first.actorId === second.actorId
  return {
    id: first.id,
    type: first.type,
    organizationId: first.organizationId,
    at: first.at,
    lastAt: second.lastAt,
    count: first.count + second.count,
    actorType: isSameActor ? first.actorType : null,
    actorId: isSameActor ? first.actorId : null,
    address: same('address'),
    userAgent: same('userAgent'),
    route: same('route'),
    method: same('method'),
    status: same('status'),
    code: same('code'),
    reason: same('reason'),
    requestId: null,
  }
}
