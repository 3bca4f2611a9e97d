import type { Role } from './early-session.ts'

/** What a role may do. The service decides; this only hides what it would refuse. */
export interface Rights {
  readonly administer: boolean
  readonly approve: boolean
  readonly own: boolean
  /** Whether it may send this request; `path` is without a query. */
  readonly send: (method: string, path: string) => boolean
}

// Other changes are for owners and admins.
const FOR_EVERYBODY =
  /^\/api\/core\/(?:auth\/.*|saved-views(?:\/\d+)?|approval-policy\/(?:dry-run|evaluate)|wallets\/monitored\/\d+\/rebalance-preview)$/
const FOR_APPROVERS = /^\/api\/core\/(?:operations|change-requests)\/\d+\/(?:approve|reject)$/
const FOR_OWNERS = /^\/api\/core\/(?:change-policy|organization|sso\/(?:providers|domains))(?:\/.*)?$/

export function rightsOf(role: Role): Rights {
  const own = role === 'owner'
  const administer = own || role === 'admin'
  const approve = administer || role === 'approver'
  const send = (method: string, path: string): boolean => {
    if (method === 'GET' || FOR_EVERYBODY.test(path)) return true
    if (FOR_APPROVERS.test(path)) return approve
    return FOR_OWNERS.test(path) ? own : administer
  }
  return { administer, approve, own, send }
}
