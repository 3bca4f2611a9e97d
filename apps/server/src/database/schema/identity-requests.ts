import type { Generated } from 'kysely'

export interface KeyRequestsTables {
  key_requests: {
    organization_id: number
    /** In the order in which they were written. */
    id: Generated<number>
    /** `key` or `service_account`. */
    actor_type: 'key' | 'service_account'
    /** Its id. */
    actor_id: number
    /** When the response was sent; the row is swept some time after it. */
    at: Date
    /** As in the response and in the log of the service. */
    request_id: string
    /** Of the request. */
    method: string
    /** The path with its parameters unnamed. */
    route: string
    /** The same, with the ids that are numbers. */
    path: string
    /** The HTTP status of the response. */
    status: number
    /** The code of the error; null: it succeeded. */
    code: string | null
    /** How long the response took, in milliseconds. */
    duration_ms: number
  }
}
