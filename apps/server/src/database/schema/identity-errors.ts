export interface KeyErrorsTables {
  key_errors: {
    organization_id: number
    key_id: number
    /** Of the request. */
    method: string
    /** The path with its parameters unnamed. */
    route: string
    /** The code of the error. */
    code: string
    /** The HTTP status of the response. */
    status: number
    /** How many requests got this error. */
    count: number
    /** The first of them. */
    first_at: Date
    /** The last of them; the row is swept some time after it. */
    last_at: Date
    /** Of the last of them. */
    request_id: string
    /** JSON: the reason, the issues and what was sent. */
    facts: string
  }
}
