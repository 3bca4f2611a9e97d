export interface KeyErrorsTables {
  key_errors: {
    organization_id: number
    key_id: number
    method: string
    route: string
    code: string
    status: number
    count: number
    first_at: Date
    last_at: Date
    request_id: string
    /** JSON: the reason, the issues and what was sent. */
    facts: string
  }
}
