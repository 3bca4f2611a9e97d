/** What an attacker may try at a part, the result, and the test that shows it. */
export type Threat = readonly [kind: 'S' | 'T' | 'R' | 'I' | 'D' | 'E', attempt: string, outcome: string, test?: string]

export interface ThreatenedPart {
  readonly id: string
  readonly name: string
  /** Who runs it: the zone that it is drawn in. */
  readonly zone: 'operator' | 'customer' | 'third party'
  readonly trustedFor: string
  readonly notTrustedFor: string
  readonly threats: readonly Threat[]
}

/** Where the tests are. */
export const SYSTEM_TESTS = 'apps/server/system/'
export const SERVER_FILES = 'apps/server/src/'
export const AGENT_FILES = 'apps/agent/'
