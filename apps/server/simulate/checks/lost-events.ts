/** Events whose ids consumers saw before the database went back in time, and that it no longer has. */
export interface LostEvents {
  readonly after: number
  readonly until: number
}
