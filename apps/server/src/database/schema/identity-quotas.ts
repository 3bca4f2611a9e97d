export interface QuotasTables {
  quota_places: {
    organization_id: number
    quota: string
    /** What the place is for: requests with the same key share it. */
    key: string
    /** When the place of a process that died is free again. */
    expires_at: Date
  }
}
