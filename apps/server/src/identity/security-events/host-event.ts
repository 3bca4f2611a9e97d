import type { SecurityEventFacts } from './security-event.ts'

/** An event that no request caused: a command on the host, or work of the service. */
export function hostEvent(event: Pick<SecurityEventFacts, 'type'> & Partial<SecurityEventFacts>): SecurityEventFacts {
  return {
    organizationId: null,
    actorType: 'system',
    actorId: null,
    address: null,
    userAgent: null,
    route: null,
    method: null,
    status: null,
    code: null,
    reason: null,
    requestId: null,
    ...event,
  }
}
