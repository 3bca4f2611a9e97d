/** Limits on change requests and the allow-list of destinations. */

/** As for operations: larger groups do not decide anything together. */
export const CHANGE_APPROVALS_MAX = 5
/** A month: long enough for any notice period, short enough that a mistake in the policy can be waited out. */
export const COOLING_OFF_SECONDS_MAX = 30 * 86_400
/** As for operations: a change that nobody approved in a week has been forgotten or declined. */
export const CHANGE_APPROVAL_TIMEOUT_MS = 7 * 86_400_000
/** How long an approved change can be completed once it has cooled off; later, the reasons may no longer hold. */
export const CHANGE_COMPLETION_TIMEOUT_MS = 7 * 86_400_000
/** Open change requests of an organization: more than its members can read. */
export const OPEN_CHANGE_REQUESTS_MAX = 100
/** Those of one member, key or service account: a program must not take the places of everybody else. */
export const OPEN_CHANGE_REQUESTS_PER_REQUESTER_MAX = 20
/** Those of one member and of all keys and secrets that they hold: the other members keep places, too. */
export const OPEN_CHANGE_REQUESTS_PER_MEMBER_MAX = 60
/** Change requests that one sweep expires; the next sweep takes the rest. */
export const CHANGE_REQUESTS_SWEEP_BATCH = 200
/** Addresses on an allow-list: as many as people can oversee. */
export const DESTINATIONS_MAX = 1_000
/** Fields of a request that is compared with an approved one, several times those of the longest approval policy. */
export const CHANGE_FIELDS_MAX = 10_000
